/** Styles of files in a chat. */
export const FILES_STYLE = `
.files { display: grid; gap: 4px; max-width: 100%; }
.bubble + .files { margin-block-start: 4px; }
.mine .files { justify-items: end; }
.file { display: flex; align-items: center; gap: 8px; max-width: 100%; min-height: 40px; padding: 6px 12px; border: 1px solid var(--line); border-radius: 12px; text-align: start; }
.file:hover { background: var(--soft); }
.file > :nth-child(2) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.file small { flex: none; color: var(--muted); font-size: 13px; }
.file .icon { flex: none; }
.picture { max-width: min(264px, 100%); padding: 0; border-radius: 12px; }
.picture img { display: block; max-width: 100%; max-height: 240px; border-radius: 12px; background: var(--soft); }
.tray { display: grid; gap: 8px; padding: 12px 12px 0; border-top: 1px solid var(--line); }
.tray + .composer { border-top: 0; }
.tray .file { padding-block: 0; padding-inline-end: 0; }
.tray .file > :nth-child(2) { flex: 1; }
.tray p { color: var(--bad); font-size: 13px; }
.tray i { flex: none; width: 16px; height: 16px; border: 2px solid var(--line); border-block-start-color: var(--link); border-radius: 50%; animation: turn 1s linear infinite; }
.over { outline: 2px dashed var(--link); outline-offset: -8px; }
@keyframes turn { to { rotate: 360deg; } }
`
