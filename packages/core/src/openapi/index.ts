/** The entry point of @nomen/core/openapi: writes the OpenAPI document of an api, and reads any OpenAPI document. */

export { PatternError } from '../field/pattern/parse.ts'
export { compilePattern, type Pattern } from '../field/pattern/pattern.ts'
export { pluralOf } from '../naming/plural.ts'
export { isIdentifier, wordsOf } from '../naming/words.ts'
export { type OpenApi, type OpenApiOptions, openapi } from './document.ts'
export type { DocumentCollection, DocumentList, DocumentLookup } from './read/collection.ts'
export {
  child,
  type DocumentNode,
  type Follow,
  follower,
  fragmentNames,
  isObject,
  type Json,
  type JsonObject,
  localReferences,
  namesOf,
  type Resolve,
} from './read/node.ts'
export {
  type DescribedOperation,
  type DocumentContent,
  type DocumentMethod,
  isSuccess,
  type OperationKeys,
  operationKeys,
} from './read/operation.ts'
export type { ParameterRole } from './read/parameter-role.ts'
export { pathKey, pathParameters, type Segment, versionOf } from './read/path.ts'
export { type ListForm, recordIn } from './read/record.ts'
export type {
  DocumentDeprecation,
  DocumentOperation,
  DocumentParameter,
  DocumentProblem,
  OperationRole,
} from './read/role.ts'
export type { Shape, ShapeProperty } from './read/shape.ts'
export { type OpenApiTable, type ReadOptions, readOpenApi, readShape } from './read/table.ts'
