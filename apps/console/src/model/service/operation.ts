/** An operation of a document as the console calls it. */
import type {
  DocumentDeprecation,
  DocumentOperation,
  DocumentParameter,
  OperationRole,
  Shape,
} from '@nomen/core/openapi'
import { isObject, type Json } from './openapi.ts'

export type Deprecation = DocumentDeprecation

export interface Operation {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly kind: OperationRole
  readonly summary: string | undefined
  /** Its first tag, by which an API reference groups it. */
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly parameters: readonly DocumentParameter[]
  readonly body: Shape | undefined
  /** The media type of a body that cannot be JSON: `multipart/form-data`. */
  readonly foreignBody: string | undefined
  /** The successful response. */
  readonly response: Shape | undefined
  readonly isDeprecated: boolean
  readonly deprecation: Deprecation | undefined
  readonly isConditional: boolean
  /** The security requirements, of which a request must meet one. */
  readonly security: readonly Json[]
}

export function operationFrom(operation: DocumentOperation): Operation {
  const { method, path, role, raw, description, parameters, body, success, isDeprecated, deprecation } = operation
  return {
    method: method.toUpperCase(),
    path,
    kind: role,
    summary: typeof raw.summary === 'string' ? raw.summary : undefined,
    tag: Array.isArray(raw.tags) && typeof raw.tags[0] === 'string' ? raw.tags[0] : undefined,
    description,
    parameters,
    body: body?.isJson ? body.shape : undefined,
    foreignBody: body?.isJson === false ? [...body.media.keys()][0] : undefined,
    response: success?.isJson ? success.shape : undefined,
    isDeprecated,
    deprecation,
    security: Array.isArray(raw.security) ? raw.security.filter(isObject) : [],
    isConditional: parameters.some(({ name, isRequired }) => name === 'If-Match' && isRequired),
  }
}
