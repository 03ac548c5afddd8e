/** The public door of @nomen/conventions: what checks the conventions, on documents and on running services. */
export { type Code, catalogue } from './check/catalogue.ts'
export { CheckError, type CheckOptions, type CheckProgress, checkService } from './check/check-service.ts'
export { junit } from './check/junit.ts'
export type { Outcome, Report, Result } from './check/result.ts'
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
