/** The public door of @nomen/conventions: what checks the conventions, on documents and on running services. */

export type { Change } from './diff/change.ts'
export { type Code as ChangeCode, codes as changeCodes } from './diff/code.ts'
export type { Demand } from './diff/demand.ts'
export { type Difference, type DiffOptions, type Documents, diff } from './diff/diff.ts'
export { diffMarkdown } from './diff/diff-markdown.ts'
export { diffText, type Paint } from './diff/diff-text.ts'
export type { Versioning, VersioningKind } from './diff/versioning.ts'
export {
  type ContractBody,
  type ContractOperation,
  type ContractParameter,
  type ContractResponse,
  contractOf,
  follow,
} from './document/contract.ts'
export {
  DocumentError,
  type Json,
  type JsonObject,
  type OpenApiDocument,
  readDocument,
  readDocumentText,
} from './document/read-document.ts'
