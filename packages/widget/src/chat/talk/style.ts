/** Styles of voice in a chat. */
export const TALK_STYLE = `
.call { display: flex; align-items: center; gap: 4px; min-height: 56px; padding-block: 4px; padding-inline: 16px 8px; border-top: 1px solid var(--line); }
.call + :is(.composer, .tray) { border-top: 0; }
.call > div { flex: 1; min-width: 0; display: grid; gap: 2px; }
.call small { color: var(--muted); font-size: 13px; }
.call .wrong { padding-inline-end: 8px; color: var(--bad); font-size: 13px; }
.call .caption { max-height: 4.5em; overflow-y: auto; }
.call .said { font-style: italic; }
.recorded { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; }
.red { display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%; background: var(--bad); }
.meter { flex: none; width: 10px; height: 10px; margin-inline-end: 8px; border-radius: 50%; background: var(--link); box-shadow: 0 0 0 calc(var(--level, 0) * 12px) color-mix(in srgb, var(--link) 30%, transparent); }
.call [aria-pressed='true'] { color: var(--on-accent); background: var(--accent); }
@media (forced-colors: active) { .call [aria-pressed='true'] { background: Highlight; color: HighlightText; forced-color-adjust: none; } .meter { background: CanvasText; } }
`
