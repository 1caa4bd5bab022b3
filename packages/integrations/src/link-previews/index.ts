export { type LinkPreviewOptions, withLinkPreviews } from './with-link-previews.ts'
