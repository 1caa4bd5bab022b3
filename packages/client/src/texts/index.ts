/** The HTTP calls about texts of a server, typed. */
export { createTextsApi, type TextsApi, type TextsApiOptions } from './create-texts-api.ts'
