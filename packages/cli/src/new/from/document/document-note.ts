/** Notes about the parts of a document other than operations: servers, security, webhooks, and the format of errors. */
import { isObject, type JsonObject, type OpenApiTable } from '@nomen/core/openapi'
import { basePath } from '../../../source/base-path.ts'
import type { Note } from '../note.ts'

export function noteDocument(
  document: JsonObject,
  table: OpenApiTable,
  prefix: string,
  note: (note: Note) => void,
): void {
  const base = basePath(document)
  if (base !== '' && base !== prefix) {
    const start = prefix === '' ? 'at the root' : `with ${prefix}`
    note({
      source: 'servers',
      text: `Paths start ${start}, not with ${base}. Map them in a proxy, or set the option prefix of the service.`,
    })
  }
  for (const [path, item] of Object.entries(isObject(document.paths) ? document.paths : {}))
    if (isObject(item) && item.servers !== undefined)
      note({ source: path, text: 'Its servers are ignored: one service has all paths.' })
  noteSecurity(document, table, note)
  for (const { method, path } of table.outgoingOperations)
    note({
      source: `${method.toUpperCase()} ${path}`,
      text: 'Left out: a webhook or callback. Send it in after(), in the service file.',
    })
  const problems = table.operations.flatMap(({ responses }) =>
    [...responses].filter(([status]) => /^([45]|default)/.test(status)),
  )
  const isOther = ([, { media }]: (typeof problems)[number]) => media.size > 0 && !media.has('application/problem+json')
  if (problems.some(isOther))
    note({
      source: 'errors',
      text: 'Errors are problem documents (application/problem+json) with code, detail and hint.',
    })
}

function noteSecurity(document: JsonObject, { operations }: OpenApiTable, note: (note: Note) => void): void {
  const components = isObject(document.components) ? document.components : {}
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {}
  const required = [document.security, ...operations.map(({ raw }) => raw.security)].flatMap((security) =>
    Array.isArray(security) ? security : [],
  )
  const requirements = required.filter(isObject)
  const names = new Set([...Object.keys(schemes), ...requirements.flatMap((requirement) => Object.keys(requirement))])
  for (const name of names) {
    const scopes = new Set(requirements.flatMap(({ [name]: ofScheme }) => (Array.isArray(ofScheme) ? ofScheme : [])))
    const scheme = schemes[name]
    const type = isObject(scheme)
      ? ` (${scheme.type}${typeof scheme.scheme === 'string' ? ` ${scheme.scheme}` : ''})`
      : ''
    const renamed = scopes.size === 0 ? '' : ` Its scopes (${[...scopes].join(', ')}) become noun:read and noun:write.`
    const text = `Not declared${type}: nomen serve --auth jwt accepts bearer tokens of an OpenID issuer.${renamed}`
    note({ source: `securitySchemes.${name}`, text })
  }
}
