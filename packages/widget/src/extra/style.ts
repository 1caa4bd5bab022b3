/** Styles of a prompt. */
export const EXTRA_STYLE = `
.prompt {
  position: absolute;
  bottom: 4px;
  inset-inline: auto calc(100% + 12px);
  display: flex;
  width: max-content;
  max-width: min(280px, 60vw);
  border: 1px solid #8886;
  border-radius: 12px;
  color: var(--colloquy-text, CanvasText);
  background: var(--colloquy-background, Canvas);
  box-shadow: 0 4px 20px #0004;
}
:host([side='start']) .prompt { inset-inline: calc(100% + 12px) auto; }
.prompt:empty { display: none; }
.prompt button { padding: 10px 12px; border-radius: 12px; }
`
