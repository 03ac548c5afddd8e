/** The public door of @nomen/conventions: what checks the conventions, on documents and on running services. */
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
