/** Position of the frame in the page. Its content has its own style. */
export const FRAME_STYLE = `
.place { position: absolute; inset-block-end: 72px; inset-inline-end: 0; }
:host([side='start']) .place { inset-inline: 0 auto; }
:host([layout='inside']) .place { position: static; height: 100%; }
iframe { display: block; width: 392px; max-width: calc(100vw - 40px); height: min(640px, 100vh - 116px); border: 0; border-radius: var(--colloquy-radius, 16px); box-shadow: 0 8px 40px #0003; }
:host([layout='inside']) iframe { width: 100%; max-width: none; height: 100%; box-shadow: none; }
.full iframe { position: fixed; inset: var(--top, 0) 0 auto; width: 100%; max-width: none; height: var(--height, 100dvh); border-radius: 0; box-shadow: none; }
`
