/** The chat's place in the page, and its button. Nothing of the page's style comes in but its `--colloquy-…`. */
export const LAUNCHER_STYLE = `
:host {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  z-index: var(--colloquy-layer,2147483000) !important;
  bottom: 20px !important;
  inset-inline: auto 20px !important;
  color-scheme: light dark !important;
  font: var(--colloquy-font-size,15px)/1.45 var(--colloquy-font,system-ui) !important;
  --accent: var(--colloquy-accent,#3145c9);
  --on-accent: var(--colloquy-on-accent,#fff);
}
:host([side='start']) { inset-inline: 20px auto !important; }
:host([theme='light']) { color-scheme: light !important; }
:host([theme='dark']) { color-scheme: dark !important; }
:host([layout='inside']) { position: relative !important; inset: auto !important; z-index: 0 !important; height: 100% !important; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.launcher, .prompt button { all: unset; cursor: pointer; padding: 10px 12px; border-radius: 12px; }
.launcher {
  display: block;
  padding: 14px;
  border-radius: 50%;
  color: var(--on-accent);
  background: var(--accent);
  box-shadow: 0 4px 20px #0004;
  animation: .3s 6 alternate;
}
:is(.launcher, .prompt button):focus-visible { outline: 3px solid var(--on-accent); box-shadow: 0 0 0 6px var(--accent); }
.launcher::before { content: ''; display: block; width: 24px; height: 24px; border: 2px solid; border-radius: 50% 50% 50% 4px; }
.launcher[aria-busy]::before { animation: pulse .6s infinite alternate; }
@keyframes bounce { to { translate: 0 -14px; } }
@keyframes grow { to { scale: 1.2; } }
@keyframes pulse { to { opacity: .3; } }
.count, .prompt { position: absolute; border-radius: 12px; }
.count { inset: -4px -4px auto auto; padding: 0 8px; font-size: 13px; color: #fff; background: #b3261e; }
.prompt {
  display: flex;
  bottom: 4px;
  inset-inline: auto calc(100% + 12px);
  width: max-content;
  max-width: min(280px, 60vw);
  border: 1px solid #8886;
  color: var(--colloquy-text,CanvasText);
  background: var(--colloquy-background,Canvas);
  box-shadow: 0 4px 20px #0004;
}
:host([side='start']) .prompt { inset-inline: calc(100% + 12px) auto; }
:is(.count, .prompt):empty { display: none; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
@media (forced-colors: active) { .launcher, .count { border: 1px solid; } }
@media print { :host { display: none !important; } }
`
