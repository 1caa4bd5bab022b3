/** Media query for screens on which the chat covers the page: phones, in portrait and in landscape. */
export const SMALL = '(max-width: 480px), (max-height: 480px)'
