/** All codes of changes: whether the change breaks callers, and why. */

interface Verdict {
  readonly isBreaking: boolean
  readonly why: string
}

const breaking = (reason: string): Verdict => ({ isBreaking: true, why: reason })
const compatible = (reason: string): Verdict => ({ isBreaking: false, why: reason })

const operation = {
  'operation-removed': breaking('Calls to it now get 404 or 405.'),
  'lookup-removed': breaking('Callers that know only this property of a record can no longer find it.'),
  'list-variant-removed': breaking('Calls to this list now get 404; the other lists have different properties.'),
  'operation-added': compatible('No caller uses it yet.'),
  'lookup-added': compatible('No caller uses it yet.'),
  'list-variant-added': compatible('No caller uses it yet.'),
  'version-added': compatible('Callers of the previous version are not affected.'),
  'version-raised': breaking('Calls to the previous version get 404 until callers use the new one.'),
  'version-retired': breaking('Calls to the previous version get 404.'),
  'version-incomplete': breaking('An api with one version for all nouns must have every noun in every version.'),
  'operation-deprecated': compatible('It works as before; the document announces the deprecation.'),
  'sunset-brought-forward': breaking('Callers rely on the announced sunset date.'),
  'sunset-postponed': compatible('Callers have more time than announced.'),
  'operation-undeprecated': compatible('It works as before.'),
  'operation-id-changed': compatible('It is not sent; only names in generated clients change.'),
  'path-parameter-renamed': compatible('The name is not sent; only its position in the path matters.'),
  'server-changed': compatible('Callers configure the base URL; it is not part of the contract of an operation.'),
}

const parameter = {
  'parameter-removed': breaking('The service rejects or ignores the parameter.'),
  'parameter-added': compatible('It is optional.'),
  'required-parameter-added': breaking('Existing requests do not send it.'),
  'parameter-made-required': breaking('Requests without it are rejected.'),
  'parameter-made-optional': compatible('Requests with it work as before.'),
  'parameter-retyped': breaking('Existing values are rejected or interpreted differently.'),
  'parameter-widened': compatible('All previous values remain valid.'),
  'parameter-made-repeatable': compatible('A single value works as before.'),
  'parameter-made-single': breaking('Requests that repeat it to match several values are rejected.'),
  'parameter-tightened': breaking('Some previous values are rejected.'),
  'parameter-loosened': compatible('All previous values remain valid.'),
  'parameter-enum-value-removed': breaking('Requests with this value are rejected.'),
  'parameter-enum-value-added': compatible('All previous values remain valid.'),
  'parameter-nullable': compatible('All previous values remain valid.'),
  'parameter-not-nullable': breaking('Requests with null are rejected.'),
  'parameter-default-changed': breaking('Requests without it get a different response.'),
  'parameter-serialization-changed': breaking('The same query string is parsed as a different value.'),
  'parameter-deprecated': compatible('It works as before; the document announces the deprecation.'),
  'default-page-size-changed': breaking('Requests without a page size get pages of a different size.'),
  'max-page-size-lowered': breaking('Requests for larger pages are rejected.'),
  'max-page-size-raised': compatible('All previous sizes remain valid.'),
}

const request = {
  'request-body-added': compatible('It is optional.'),
  'required-request-body-added': breaking('Existing requests have no body.'),
  'request-body-removed': breaking('The service rejects the body, or no longer stores it.'),
  'request-body-made-required': breaking('Requests without a body are rejected.'),
  'request-body-made-optional': compatible('Requests with a body work as before.'),
  'request-media-type-removed': breaking('Requests with this media type get 415.'),
  'request-media-type-added': compatible('The previous media types remain valid.'),
  'request-field-added': compatible('It is optional.'),
  'required-request-field-added': breaking('Existing requests do not send it.'),
  'mutable-field-added': breaking(
    'A PUT must send every writable property; existing requests lack this one and are rejected.',
  ),
  'immutable-field-made-mutable': breaking(
    'A PUT must send every writable property; existing requests do not send this one.',
  ),
  'immutable-field-accepted': compatible('It is optional, as before.'),
  'field-made-immutable': breaking('The service rejects the field, or no longer stores it.'),
  'request-field-removed': breaking('The service rejects the field as unknown, or no longer stores it.'),
  'request-field-made-required': breaking('Requests without it are rejected.'),
  'request-field-made-optional': compatible('Requests with it work as before.'),
  'request-field-retyped': breaking('Existing values are rejected.'),
  'request-field-widened': compatible('All previous values remain valid.'),
  'request-field-tightened': breaking('Some previous values are rejected.'),
  'request-field-loosened': compatible('All previous values remain valid.'),
  'request-enum-value-removed': breaking('Requests with this value are rejected.'),
  'request-enum-value-added': compatible('All previous values remain valid.'),
  'transition-removed': breaking('Requests that change the one value to the other are rejected.'),
  'transition-added': compatible('All previous transitions remain valid.'),
  'request-field-nullable': compatible('All previous values remain valid.'),
  'request-field-not-nullable': breaking('Requests with null are rejected.'),
  'request-alternative-removed': breaking('Requests with this alternative are rejected.'),
  'request-alternative-added': compatible('All previous alternatives remain valid.'),
  'request-default-changed': breaking('Requests without it create a different record.'),
  'request-default-added': compatible('There was no guarantee for requests without it.'),
  'request-field-deprecated': compatible('It works as before; the document announces the deprecation.'),
}

const response = {
  'response-status-removed': breaking('Callers expect this success status and get another one.'),
  'response-status-added': breaking('Callers do not know this success status, and its body may differ.'),
  'redirect-status-removed': compatible('Callers handle the other responses as before.'),
  'redirect-status-added': compatible(
    'Callers handle an unknown redirect like 300; only conditional requests get 304.',
  ),
  'error-status-removed': compatible('The error handling of callers is no longer needed.'),
  'error-status-added': compatible('Callers handle an unknown status like the first of its class (400, 500).'),
  'response-body-removed': breaking('Callers read a body that no longer exists.'),
  'response-media-type-removed': breaking('Callers that accept only this media type get an error or another type.'),
  'response-media-type-added': compatible('The previous media types remain available.'),
  'response-header-removed': breaking('Callers that read it, such as ETag or Location, find nothing.'),
  'response-header-added': compatible('Callers ignore unknown headers.'),
  'response-header-made-optional': breaking('Callers that rely on it may find nothing.'),
  'response-header-made-required': compatible('Callers that read it always find it.'),
  'envelope-to-array': breaking('Callers read results and pageInfo, but get a plain array.'),
  'array-to-envelope': breaking('Callers expect an array, but get an object with one page.'),
  'response-field-removed': breaking('Callers that show or store it find nothing.'),
  'response-field-added': compatible('Callers ignore unknown fields.'),
  'response-field-retyped': breaking('Callers read the value as the previous type.'),
  'response-field-narrowed': compatible('All values were possible before.'),
  'response-field-made-optional': breaking('Callers that rely on it may find nothing.'),
  'response-field-made-required': compatible('Callers that read it always find it.'),
  'response-field-nullable': breaking('Callers that use the value may fail on null.'),
  'response-field-not-nullable': compatible('All values were possible before.'),
  'response-enum-value-added': breaking(
    'Callers that switch on the value, or parse it into an enum, do not know this one.',
  ),
  'response-enum-value-removed': compatible('All values were possible before.'),
  'response-field-tightened': compatible('All values were possible before.'),
  'response-field-loosened': compatible('Callers read it as before: a limit restricts only writes.'),
  'response-alternative-added': breaking('Callers may get an alternative that they do not know.'),
  'response-alternative-removed': compatible('All alternatives were possible before.'),
  'response-field-deprecated': compatible('It works as before; the document announces the deprecation.'),
}

const security = {
  'security-added': breaking('Calls without credentials get 401.'),
  'security-tightened': breaking('Credentials that were sufficient get 401 or 403.'),
  'security-loosened': compatible('Credentials that were sufficient still are.'),
  'security-scheme-changed': breaking('Credentials of the previous scheme get 401.'),
}

const webhook = {
  'webhook-added': compatible('Receivers are not registered for it yet.'),
  'webhook-removed': breaking('Receivers wait for requests that are no longer sent.'),
  'callback-added': compatible('Existing callbacks are sent as before.'),
  'callback-removed': breaking('Receivers wait for requests that are no longer sent.'),
  'webhook-parameter-added': compatible('Receivers ignore unknown headers and parameters.'),
  'webhook-parameter-removed': breaking('Receivers that read it, such as a signature, find nothing.'),
  'webhook-parameter-made-optional': breaking('Receivers that rely on it may find nothing.'),
  'webhook-parameter-made-required': compatible('Receivers that read it always find it.'),
  'webhook-body-added': compatible('Receivers ignore it.'),
  'webhook-body-removed': breaking('Receivers read a body that is no longer sent.'),
  'webhook-body-made-optional': breaking('Receivers that rely on it may find nothing.'),
  'webhook-body-made-required': compatible('Receivers that read it always find it.'),
  'webhook-media-type-added': breaking('Receivers may get a media type that they do not know.'),
  'webhook-media-type-removed': compatible('Receivers know the other media types.'),
  'webhook-response-added': compatible('The previous responses of receivers remain valid.'),
  'webhook-response-removed': breaking('The service may treat this response of a receiver as a failure.'),
  'webhook-response-body-added': breaking('Existing receivers respond without this body.'),
  'webhook-response-body-removed': compatible('The service ignores the body of a receiver.'),
  'webhook-response-media-type-added': compatible('The previous media types remain valid.'),
  'webhook-response-media-type-removed': breaking('The service may reject responses with this media type.'),
  'webhook-response-header-required': breaking('Existing receivers may not send it.'),
  'webhook-response-header-optional': compatible('Responses of receivers are valid with and without it.'),
  'webhook-security-changed': breaking('Receivers check the previous credentials.'),
}

const verdicts = { ...operation, ...parameter, ...request, ...response, ...security, ...webhook }

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
