/** All codes of changes: whether the change breaks callers, and why. */

interface Verdict {
  readonly isBreaking: boolean
  readonly why: string
}

const breaks = (why: string): Verdict => ({ isBreaking: true, why })
const keeps = (why: string): Verdict => ({ isBreaking: false, why })

const operation = {
  'operation-removed': breaks('Calls to it now get 404 or 405.'),
  'lookup-removed': breaks('Callers that know only this property of a record can no longer find it.'),
  'list-variant-removed': breaks('Calls to this list now get 404; the other lists have different properties.'),
  'operation-added': keeps('No caller uses it yet.'),
  'lookup-added': keeps('No caller uses it yet.'),
  'list-variant-added': keeps('No caller uses it yet.'),
  'version-added': keeps('Callers of the previous version are not affected.'),
  'version-raised': breaks('Calls to the previous version get 404 until callers use the new one.'),
  'version-retired': breaks('Calls to the previous version get 404.'),
  'version-incomplete': breaks('An api with one version for all nouns must have every noun in every version.'),
  'operation-deprecated': keeps('It works as before; responses announce the deprecation.'),
  'sunset-brought-forward': breaks('Callers rely on the sunset that was announced.'),
  'sunset-put-off': keeps('Callers have more time than announced.'),
  'operation-undeprecated': keeps('It works as before.'),
  'operation-id-changed': keeps('It is not sent; only names in generated clients change.'),
  'path-parameter-renamed': keeps('The name is not sent; only its position in the path matters.'),
  'server-changed': keeps('Callers configure the base URL; it is not part of the contract of an operation.'),
}

const parameter = {
  'parameter-removed': breaks('The service rejects or ignores the parameter.'),
  'parameter-added': keeps('It is optional.'),
  'required-parameter-added': breaks('Existing requests do not send it.'),
  'parameter-made-required': breaks('Requests without it are rejected.'),
  'parameter-made-optional': keeps('Requests with it work as before.'),
  'parameter-retyped': breaks('Existing values are rejected or interpreted differently.'),
  'parameter-widened': keeps('All previous values remain valid.'),
  'parameter-made-repeatable': keeps('A single value works as before.'),
  'parameter-made-single': breaks('Requests that repeat it to match several values are rejected.'),
  'parameter-tightened': breaks('Some previous values are rejected.'),
  'parameter-loosened': keeps('All previous values remain valid.'),
  'parameter-enum-value-removed': breaks('Requests with this value are rejected.'),
  'parameter-enum-value-added': keeps('All previous values remain valid.'),
  'parameter-nullable': keeps('All previous values remain valid.'),
  'parameter-not-nullable': breaks('Requests with null are rejected.'),
  'parameter-default-changed': breaks('Requests without it get a different response.'),
  'parameter-serialization-changed': breaks('The same query string is parsed as a different value.'),
  'parameter-deprecated': keeps('It works as before; the document announces the deprecation.'),
  'default-page-size-changed': breaks('Requests without a page size get pages of a different size.'),
  'max-page-size-lowered': breaks('Requests for larger pages are rejected.'),
  'max-page-size-raised': keeps('All previous sizes remain valid.'),
}

const request = {
  'request-body-added': keeps('It is optional.'),
  'required-request-body-added': breaks('Existing requests have no body.'),
  'request-body-removed': breaks('The service rejects the body, or no longer stores it.'),
  'request-body-made-required': breaks('Requests without a body are rejected.'),
  'request-body-made-optional': keeps('Requests with a body work as before.'),
  'request-media-type-removed': breaks('Requests with this media type get 415.'),
  'request-media-type-added': keeps('The previous media types remain valid.'),
  'request-field-added': keeps('It is optional.'),
  'required-request-field-added': breaks('Existing requests do not send it.'),
  'mutable-field-added': breaks(
    'A PUT must send every mutable field; existing requests lack this one and are rejected.',
  ),
  'static-field-made-mutable': breaks('A PUT must send every mutable field; existing requests do not send this one.'),
  'static-field-accepted': keeps('It is optional, as before.'),
  'field-made-static': breaks('The service rejects the field, or no longer stores it.'),
  'request-field-removed': breaks('The service rejects the field as unknown, or no longer stores it.'),
  'request-field-made-required': breaks('Requests without it are rejected.'),
  'request-field-made-optional': keeps('Requests with it work as before.'),
  'request-field-retyped': breaks('Existing values are rejected.'),
  'request-field-widened': keeps('All previous values remain valid.'),
  'request-field-tightened': breaks('Some previous values are rejected.'),
  'request-field-loosened': keeps('All previous values remain valid.'),
  'request-enum-value-removed': breaks('Requests with this value are rejected.'),
  'request-enum-value-added': keeps('All previous values remain valid.'),
  'transition-removed': breaks('Requests that change the one value to the other are rejected.'),
  'transition-added': keeps('All previous transitions remain valid.'),
  'request-field-nullable': keeps('All previous values remain valid.'),
  'request-field-not-nullable': breaks('Requests with null are rejected.'),
  'request-alternative-removed': breaks('Requests with this alternative are rejected.'),
  'request-alternative-added': keeps('All previous alternatives remain valid.'),
  'request-default-changed': breaks('Requests without it create a different record.'),
  'request-default-added': keeps('There was no guarantee for requests without it.'),
  'request-field-deprecated': keeps('It works as before; the document announces the deprecation.'),
}

const response = {
  'response-status-removed': breaks('Callers expect this success status and get another one.'),
  'response-status-added': breaks('Callers do not know this success status, and its body may differ.'),
  'error-status-removed': keeps('The error handling of callers is no longer needed.'),
  'error-status-added': keeps('Callers handle an unknown status like the first of its class (400, 500).'),
  'response-body-removed': breaks('Callers read a body that no longer exists.'),
  'response-media-type-removed': breaks('Callers that accept only this media type get no response.'),
  'response-media-type-added': keeps('The previous media types remain available.'),
  'response-header-removed': breaks('Callers that read it, such as ETag or Location, find nothing.'),
  'response-header-added': keeps('Callers ignore unknown headers.'),
  'response-header-made-optional': breaks('Callers that rely on it may find nothing.'),
  'response-header-made-required': keeps('Callers that read it always find it.'),
  'envelope-to-array': breaks('Callers read results and pageInfo, but get a plain array.'),
  'array-to-envelope': breaks('Callers expect an array, but get an object with one page.'),
  'response-field-removed': breaks('Callers that show or store it find nothing.'),
  'response-field-added': keeps('Callers ignore unknown fields.'),
  'response-field-retyped': breaks('Callers read the value as the previous type.'),
  'response-field-narrowed': keeps('All values were possible before.'),
  'response-field-made-optional': breaks('Callers that rely on it may find nothing.'),
  'response-field-made-required': keeps('Callers that read it always find it.'),
  'response-field-nullable': breaks('Callers that use the value may fail on null.'),
  'response-field-not-nullable': keeps('All values were possible before.'),
  'response-enum-value-added': breaks(
    'Callers that switch on the value, or parse it into an enum, do not know this one.',
  ),
  'response-enum-value-removed': keeps('All values were possible before.'),
  'response-field-tightened': keeps('All values were possible before.'),
  'response-field-loosened': keeps('Callers read it as before: a limit restricts only writes.'),
  'response-alternative-added': breaks('Callers may get an alternative that they do not know.'),
  'response-alternative-removed': keeps('All alternatives were possible before.'),
  'response-field-deprecated': keeps('It works as before; the document announces the deprecation.'),
}

const security = {
  'security-added': breaks('Calls without credentials get 401.'),
  'security-tightened': breaks('Credentials that were sufficient get 401 or 403.'),
  'security-loosened': keeps('Credentials that were sufficient still are.'),
  'security-scheme-changed': breaks('Credentials of the previous scheme get 401.'),
}

const verdicts = { ...operation, ...parameter, ...request, ...response, ...security }

/** The code of a change. */
export type Code = keyof typeof verdicts

/**
 * The codes of all changes that `diff` detects.
 *
 * @example
 * ```ts
 * changeCodes.includes('operation-removed') // true
 * ```
 */
export const codes = Object.keys(verdicts) as readonly Code[]

export function verdictOf(code: Code): Verdict {
  return verdicts[code]
}
