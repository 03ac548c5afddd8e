/** Every change by its code: whether it breaks callers, and why it does or does not. */

interface Verdict {
  readonly isBreaking: boolean
  readonly why: string
}

const breaks = (why: string): Verdict => ({ isBreaking: true, why })
const keeps = (why: string): Verdict => ({ isBreaking: false, why })

const operation = {
  'operation-removed': breaks('Whoever calls it is answered 404 or 405.'),
  'lookup-removed': breaks('Whoever knows a record by this property alone no longer finds it.'),
  'list-variant-removed': breaks('Whoever reads this list is answered 404; the other lists have another shape.'),
  'operation-added': keeps('Nobody calls it yet.'),
  'lookup-added': keeps('Nobody calls it yet.'),
  'list-variant-added': keeps('Nobody calls it yet.'),
  'version-added': keeps('Callers of the version before go on as they are.'),
  'version-raised': breaks('Callers of the version before are answered 404 until they call the new one.'),
  'version-retired': breaks('Whoever still calls the version before is answered 404.'),
  'version-incomplete': breaks('An api that is versioned as a whole has all of its nouns under every version.'),
  'operation-deprecated': keeps('It is served as before; callers are told to leave.'),
  'sunset-brought-forward': breaks('Callers have planned to leave by the day that they were told.'),
  'sunset-put-off': keeps('Callers have longer than they were told.'),
  'operation-undeprecated': keeps('It is served as before.'),
  'operation-id-changed': keeps('It is not sent; only names in generated clients follow it.'),
  'path-parameter-renamed': keeps('The name in a template is not sent; only its place counts.'),
  'server-changed': keeps('The base address is configured by callers and not part of the contract of an operation.'),
}

const parameter = {
  'parameter-removed': breaks('An unknown parameter is refused, or does nothing where it did something.'),
  'parameter-added': keeps('It may be left out.'),
  'required-parameter-added': breaks('Requests of today do not send it.'),
  'parameter-made-required': breaks('Requests that leave it out are refused.'),
  'parameter-made-optional': keeps('Requests that send it go on as they are.'),
  'parameter-retyped': breaks('Values that were sent until now are refused or read as something else.'),
  'parameter-widened': keeps('Every value that was taken still is.'),
  'parameter-made-repeatable': keeps('One value is as good as it was.'),
  'parameter-made-single': breaks('Requests that repeat it, to match any of several values, are refused.'),
  'parameter-tightened': breaks('Some values that were taken until now are refused.'),
  'parameter-loosened': keeps('Every value that was taken still is.'),
  'parameter-enum-value-removed': breaks('Requests with this value are refused.'),
  'parameter-enum-value-added': keeps('Every value that was taken still is.'),
  'parameter-nullable': keeps('Every value that was taken still is.'),
  'parameter-not-nullable': breaks('Requests that ask for null are refused.'),
  'parameter-default-changed': breaks('Requests that leave it out are answered with something else.'),
  'parameter-serialization-changed': breaks('The same text in the address is read as another value.'),
  'parameter-deprecated': keeps('It works as before; callers are told to leave.'),
  'default-page-size-changed': breaks(
    'Whoever asks for no size gets pages of another one: what was one page may be two.',
  ),
  'max-page-size-lowered': breaks('Requests for larger pages are refused.'),
  'max-page-size-raised': keeps('Every size that was taken still is.'),
}

const request = {
  'request-body-added': keeps('It may be left out.'),
  'required-request-body-added': breaks('Requests of today send no body.'),
  'request-body-removed': breaks('What requests carry is refused, or no longer kept.'),
  'request-body-made-required': breaks('Requests without a body are refused.'),
  'request-body-made-optional': keeps('Requests with a body go on as they are.'),
  'request-media-type-removed': breaks('Requests in this form are answered 415.'),
  'request-media-type-added': keeps('The forms of before are still taken.'),
  'request-field-added': keeps('It may be left out.'),
  'required-request-field-added': breaks('Requests of today do not send it.'),
  'mutable-field-added': breaks('A PUT sends every mutable field; those of today lack this one and are refused.'),
  'static-field-made-mutable': breaks('A PUT sends every mutable field; those of today leave out one that was static.'),
  'static-field-accepted': keeps('It may be left out, as before.'),
  'field-made-static': breaks('What callers send in this field is refused, or no longer kept.'),
  'request-field-removed': breaks('What callers send in this field is refused as unknown, or no longer kept.'),
  'request-field-made-required': breaks('Requests that leave it out are refused.'),
  'request-field-made-optional': keeps('Requests that send it go on as they are.'),
  'request-field-retyped': breaks('Values that were sent until now are refused.'),
  'request-field-widened': keeps('Every value that was taken still is.'),
  'request-field-tightened': breaks('Some values that were taken until now are refused.'),
  'request-field-loosened': keeps('Every value that was taken still is.'),
  'request-enum-value-removed': breaks('Requests with this value are refused.'),
  'request-enum-value-added': keeps('Every value that was taken still is.'),
  'transition-removed': breaks('Requests that go from the one value to the other are refused.'),
  'transition-added': keeps('Every way that was open still is.'),
  'request-field-nullable': keeps('Every value that was taken still is.'),
  'request-field-not-nullable': breaks('Requests that send null are refused.'),
  'request-alternative-removed': breaks('Requests of this form are refused.'),
  'request-alternative-added': keeps('Every form that was taken still is.'),
  'request-default-changed': breaks('Requests that leave it out make another record than before.'),
  'request-default-added': keeps('Nothing was promised for requests that leave it out.'),
  'request-field-deprecated': keeps('It works as before; callers are told to leave.'),
}

const response = {
  'response-status-removed': breaks('Callers wait for this success and get another answer.'),
  'response-status-added': breaks('Callers know other successes only, and may find another body or none.'),
  'error-status-removed': keeps('What callers do in this case is no longer needed.'),
  'error-status-added': keeps('An unknown status is treated as the first of its class (400, 500).'),
  'response-body-removed': breaks('Callers read a body that is no longer there.'),
  'response-media-type-removed': breaks('Callers that accept this form alone get none.'),
  'response-media-type-added': keeps('The forms of before are still given.'),
  'response-header-removed': breaks('Callers that read it, such as ETag or Location, find nothing.'),
  'response-header-added': keeps('Callers pass over headers that they do not know.'),
  'response-header-made-optional': breaks('Callers that rely on it find nothing at times.'),
  'response-header-made-required': keeps('Callers that read it always find it.'),
  'envelope-to-array': breaks('Callers read results and pageInfo of what is now a plain array.'),
  'array-to-envelope': breaks('Callers walk an array where there is now an object; and get one page of it.'),
  'response-field-removed': breaks('Callers that show or store it find nothing.'),
  'response-field-added': keeps('Callers pass over fields that they do not know.'),
  'response-field-retyped': breaks('Callers read the value as what it was.'),
  'response-field-narrowed': keeps('Every value that comes could have come before.'),
  'response-field-made-optional': breaks('Callers that rely on it find nothing at times.'),
  'response-field-made-required': keeps('Callers that read it always find it.'),
  'response-field-nullable': breaks('Callers that use the value stumble over null.'),
  'response-field-not-nullable': keeps('Every value that comes could have come before.'),
  'response-enum-value-added': breaks(
    'Callers choose by the value, or read it into a closed list, and do not know this one.',
  ),
  'response-enum-value-removed': keeps('Every value that comes could have come before.'),
  'response-field-tightened': keeps('Every value that comes could have come before.'),
  'response-field-loosened': keeps('It is read as before: a limit tells what writers may send.'),
  'response-alternative-added': breaks('Callers get a form that they do not know.'),
  'response-alternative-removed': keeps('Every form that comes could have come before.'),
  'response-field-deprecated': keeps('It comes as before; callers are told to leave.'),
}

const security = {
  'security-added': breaks('Whoever calls without credentials is answered 401.'),
  'security-tightened': breaks('Credentials that were enough until now are answered 401 or 403.'),
  'security-loosened': keeps('Credentials that were enough still are.'),
  'security-scheme-changed': breaks('Credentials of the kind before are answered 401.'),
}

const verdicts = { ...operation, ...parameter, ...request, ...response, ...security }

export type Code = keyof typeof verdicts

export const codes = Object.keys(verdicts) as readonly Code[]

export function verdictOf(code: Code): Verdict {
  return verdicts[code]
}
