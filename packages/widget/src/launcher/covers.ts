/** Where the chat covers the page: on phones, upright and on their side. */
export const SMALL = '(max-width: 480px), (max-height: 480px)'
