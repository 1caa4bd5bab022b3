/**
 * Styles of the chat: two font sizes, steps of 4 pixels, and a few colours. The colours are mixed from three that a
 * page may set. Left and right are the start and the end of lines.
 */
export const CHAT_STYLE = `
:host {
  --back: var(--colloquy-background, Canvas);
  --text: var(--colloquy-text, color-mix(in srgb, CanvasText 90%, Canvas));
  --soft: color-mix(in srgb, var(--text) 8%, var(--back));
  --line: color-mix(in srgb, var(--text) 16%, var(--back));
  --muted: color-mix(in srgb, var(--text) 72%, var(--back));
  --link: color-mix(in srgb, var(--accent) 60%, var(--text));
  --bad: color-mix(in srgb, #d3261e 70%, var(--text));
}
.place { position: absolute; inset-block-end: 72px; inset-inline-end: 0; }
:host([side='start']) .place { inset-inline: 0 auto; }
:host([layout='inside']) .place { position: static; height: 100%; }
.panel {
  display: flex;
  flex-direction: column;
  width: 392px;
  max-width: calc(100vw - 40px);
  height: min(640px, 100vh - 116px);
  overflow: hidden;
  overflow-wrap: anywhere;
  color: var(--text);
  background: var(--back);
  border: 1px solid var(--line);
  border-radius: var(--colloquy-radius, 16px);
  box-shadow: 0 8px 40px #0003;
  animation: come .2s;
  outline: 0;
}
.inside { width: 100%; max-width: none; height: 100%; box-shadow: none; animation: none; }
.full {
  position: fixed;
  inset: var(--top, 0) 0 auto;
  width: auto;
  max-width: none;
  height: var(--height, 100dvh);
  padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
  border: 0;
  border-radius: 0;
}
h2, p, ol, ul { margin: 0; padding: 0; font: inherit; list-style: none; }
button, textarea { padding: 8px; border: 0; border-radius: 8px; background: none; font: inherit; color: inherit; }
button { cursor: pointer; }
a, .link, .chip { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
:is(.scroller, textarea):focus-visible { outline-offset: -2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { width: 20px; height: 20px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.icon.menu { stroke-width: 3; }
.round { flex: none; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; color: var(--muted); }
.round:hover, .button:hover { background: var(--soft); }
.who p, .day, .note, .disclaimer, .name, .meta, .strip { color: var(--muted); font-size: 13px; }
.send, .main, .portrait, .mine .bubble { color: var(--on-accent); background: var(--accent); }
:is(.send, .main):hover { background: var(--accent); filter: brightness(1.1); }
header { display: flex; align-items: center; gap: 4px; min-height: 64px; padding-inline: 16px 8px; border-bottom: 1px solid var(--line); }
.portrait { flex: none; display: grid; place-items: center; width: 36px; height: 36px; margin-inline-end: 8px; border-radius: 50%; object-fit: cover; }
.who { flex: 1; min-width: 0; }
h2 { overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
.button { min-height: 36px; padding: 6px 14px; border: 1px solid var(--line); border-radius: 18px; text-align: start; }
.chip { border-color: currentcolor; }
.link { min-height: 24px; padding: 0; border: 0; border-radius: 4px; text-decoration: underline; }
.row, .meta, .strip { display: flex; flex-wrap: wrap; gap: 8px; }
.scroller { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 16px; }
.day, .note, .disclaimer { margin-block: 16px; text-align: center; }
.scroller li:first-child, .disclaimer { margin-block-start: 0; }
.message { display: grid; justify-items: start; margin-block-start: 4px; padding-inline-end: 40px; }
.first { margin-block-start: 16px; }
.mine .meta { justify-content: end; }
.mine { justify-items: end; padding-inline: 40px 0; }
.bubble { max-width: 100%; padding: 8px 12px; border-radius: 16px; border-end-start-radius: 4px; background: var(--soft); }
.mine .bubble { border-end-start-radius: 16px; border-end-end-radius: 4px; white-space: pre-wrap; }
.bubble * + :is(p, ol, ul, pre) { margin-block-start: 8px; }
pre { margin: 0; overflow-x: auto; }
.bubble ul, .bubble ol { padding-inline-start: 24px; list-style: disc; }
.bubble ol { list-style: decimal; }
code { font: 13px ui-monospace, monospace; }
.meta { align-items: center; gap: 0 6px; margin-block-start: 4px; }
.meta .icon { width: 14px; height: 14px; }
.sending, .reconnecting { animation: late 1s; }
.failed, .error, .refused, .lost { color: var(--bad); }
.suggestions { justify-content: end; margin-block-start: 16px; }
.dots { display: inline-flex; gap: 4px; margin-block-start: 16px; padding: 14px 12px; border-radius: 16px; border-end-start-radius: 4px; background: var(--soft); }
.dots i { width: 6px; height: 6px; border-radius: 50%; background: var(--muted); animation: pulse .6s infinite alternate; }
.dots i + i { animation-delay: .2s; }
.dots i + i + i { animation-delay: .4s; }
.latest { position: relative; height: 0; }
.latest .round { position: absolute; inset-block-end: 12px; inset-inline-start: calc(50% - 20px); background: var(--back); border: 1px solid var(--line); }
.alone .round { inset-block: 8px auto; inset-inline: auto 8px; }
.strip { align-items: center; justify-content: space-between; padding: 8px 16px; border-top: 1px solid var(--line); }
.composer, .foot { display: flex; align-items: end; gap: 8px; padding: 12px; border-top: 1px solid var(--line); }
textarea { flex: 1; min-width: 0; height: 40px; max-height: 128px; padding: 8px 14px; border: 1px solid var(--line); border-radius: 20px; resize: none; }
textarea::placeholder { color: var(--muted); opacity: 1; }
@media (pointer: coarse) { textarea { font-size: 16px; } }
.foot { display: grid; gap: 12px; padding: 16px; }
.full > :not(header, .choices) { margin-inline: max(0px, 50% - 400px); }
@keyframes pulse { to { opacity: .3; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
@keyframes come { from { opacity: 0; translate: 0 8px; } }
@keyframes late { 0%, 99% { opacity: 0; } }
@media (forced-colors: active) { .bubble, .round, .main, .portrait { border: 1px solid; } .dots i { background: CanvasText; } }
`
