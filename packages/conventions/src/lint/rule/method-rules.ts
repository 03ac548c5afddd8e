/** Rules for methods: bodies and status codes. */
import { type DocumentOperation, isSuccess } from '@nomen/core/openapi'
import { isSingle } from '../view.ts'
import { nameOf, type Rule, withMethod } from './rule.ts'

const getBody: Rule = {
  code: 'get-body',
  severity: 'error',
  about: 'A GET must not have a body.',
  *check(view) {
    for (const operation of withMethod(view, 'get')) {
      const shape = operation.body?.shape
      const isEmpty = shape?.type === 'object' && shape.properties.size === 0 && !shape.isOpen
      if (!operation.body || isEmpty) continue
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} has a request body.`,
        fix: 'Use query parameters.',
      }
    }
  },
}

const successStatus: Rule = {
  code: 'success-status',
  severity: 'error',
  about: 'Reads, updates and deletes must respond with 200.',
  *check(view) {
    for (const operation of withMethod(view, 'get', 'put', 'patch', 'delete')) {
      const statuses = [...operation.responses.keys()].filter(isSuccess)
      if (statuses.length === 0 || statuses.some((status) => /^2(00|XX)$/i.test(status))) continue
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} responds with ${statuses.join(', ')}.`,
        fix: 'Respond with 200.',
      }
    }
  },
}

const documents404 = ({ responses }: DocumentOperation) =>
  [...responses.keys()].some((status) => /^(404|4XX|default)$/i.test(status))

const notFoundResponse: Rule = {
  code: 'not-found-response',
  severity: 'warning',
  about: 'A read of a single record must document the response 404.',
  *check(view) {
    for (const operation of withMethod(view, 'get')) {
      const isArray = operation.success?.shape?.type === 'array'
      if (!isSingle(operation) || isArray || documents404(operation)) continue
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} does not document the response 404.`,
        fix: 'Respond with 404 if the record does not exist, and document it.',
      }
    }
  },
}

const deleteConsistency: Rule = {
  code: 'delete-consistency',
  severity: 'warning',
  about: 'Deleting a missing record must respond with 404 for all nouns or for none.',
  *check(view) {
    const deletes = withMethod(view, 'delete')
    const [documented, undocumented] = [
      deletes.filter(documents404),
      deletes.filter((operation) => !documents404(operation)),
    ]
    if (documented.length === 0 || undocumented.length === 0) return
    const isMinority = documented.length < undocumented.length
    const [smaller, larger] = isMinority ? [documented, undocumented] : [undocumented, documented]
    for (const operation of smaller) {
      yield {
        pointer: operation.pointer,
        message: `${nameOf(operation)} ${isMinority ? 'documents' : 'does not document'} 404, unlike ${larger.length} of ${deletes.length} deletes.`,
        fix: 'Use the same response for all deletes.',
      }
    }
  },
}

export const methodRules: readonly Rule[] = [getBody, successStatus, notFoundResponse, deleteConsistency]
