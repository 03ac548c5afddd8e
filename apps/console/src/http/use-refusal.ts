/** The reason why the token does not allow an operation, so that its button is disabled instead of failing. */
import { text } from '../language/language.ts'
import type { Operation } from '../model/service/operation.ts'
import { missingScopes } from '../model/service/scope.ts'
import type { Api } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { session } from './sign-in/session.ts'

/** Undefined if the operation is allowed, or if the scopes are not known: the service then decides. */
export type RefusalOf = (api: Api, operation: Operation | undefined) => string | undefined

export function useRefusal(): RefusalOf {
  const { http } = useConsole()
  return ({ base }, operation) => {
    const scopes = session.identity(http.bindingOf(base))?.scopes
    const missing = operation && scopes ? missingScopes(operation, scopes) : []
    return missing.length === 0 ? undefined : text().common.missingScope(missing)
  }
}

/** The properties of a button that is disabled for this reason. */
export function disabledFor(refusal: string | undefined) {
  return refusal === undefined ? {} : { disabled: true, title: refusal }
}
