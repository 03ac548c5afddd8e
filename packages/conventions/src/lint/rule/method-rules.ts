/** Rules of methods: that a GET has no body, and which statuses are answered. */
import { type DocumentOperation, isSuccess } from '@nomen/core/openapi'
import { isSingle } from '../view.ts'
import { called, type Rule, withMethod } from './rule.ts'

const getBody: Rule = {
  code: 'get-body',
  severity: 'error',
  about: 'A GET has no body.',
  *check(view) {
    for (const operation of withMethod(view, 'get')) {
      const shape = operation.body?.shape
      const isEmpty = shape?.type === 'object' && shape.properties.size === 0 && !shape.isOpen
      if (!operation.body || isEmpty) continue
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} takes a body.`,
        fix: 'Take its values as query parameters.',
      }
    }
  },
}

const successStatus: Rule = {
  code: 'success-status',
  severity: 'error',
  about: 'A read, an update and a delete answer 200.',
  *check(view) {
    for (const operation of withMethod(view, 'get', 'put', 'patch', 'delete')) {
      const given = [...operation.responses.keys()].filter(isSuccess)
      if (given.length === 0 || given.some((status) => /^2(00|XX)$/i.test(status))) continue
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} answers ${given.join(', ')}.`,
        fix: 'Answer 200.',
      }
    }
  },
}

const isToldOf404 = ({ responses }: DocumentOperation) =>
  [...responses.keys()].some((status) => /^(404|4XX|default)$/i.test(status))

const notFoundResponse: Rule = {
  code: 'not-found-response',
  severity: 'warning',
  about: 'A read of one record tells of 404.',
  *check(view) {
    for (const operation of withMethod(view, 'get')) {
      if (!isSingle(operation) || isToldOf404(operation)) continue
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} does not tell of 404.`,
        fix: 'Answer 404 where there is no such record, and say so.',
      }
    }
  },
}

const deleteConsistency: Rule = {
  code: 'delete-consistency',
  severity: 'warning',
  about: 'Deleting what is no longer there is 404 everywhere or nowhere.',
  *check(view) {
    const deletes = withMethod(view, 'delete')
    const told = deletes.filter(isToldOf404)
    const untold = deletes.filter((one) => !isToldOf404(one))
    if (told.length === 0 || untold.length === 0) return
    const isOdd = told.length < untold.length
    for (const operation of isOdd ? told : untold) {
      const others = deletes.length - (isOdd ? told : untold).length
      yield {
        pointer: operation.pointer,
        message: `${called(operation)} ${isOdd ? 'tells' : 'does not tell'} of 404, unlike ${others} of ${deletes.length} deletes.`,
        fix: 'Choose one for all.',
      }
    }
  },
}

export const methodRules: readonly Rule[] = [getBody, successStatus, notFoundResponse, deleteConsistency]
