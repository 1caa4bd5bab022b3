/** Host names by region or cluster, for one family of hosts (contract/accounts-and-keys.md, Hosts and regions). */
export type HostMap = Readonly<Record<string, string>>
