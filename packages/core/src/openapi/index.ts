/** The public door of @nomen/core/openapi: an api as a document that other tools read. */
export { type OpenApi, type OpenApiOptions, openapi } from './document.ts'
