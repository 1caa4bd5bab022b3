/** The methods of calls whose ids begin with these verbs; all others are `POST`. */
export const METHODS: Readonly<Record<string, string>> = {
  list: 'GET',
  read: 'GET',
  compare: 'GET',
  diff: 'GET',
  stream: 'GET',
  update: 'PATCH',
  replace: 'PUT',
  rate: 'PUT',
  close: 'PUT',
  delete: 'DELETE',
  revoke: 'DELETE',
}
