/** Examples of OpenAPI documents, for the explanations of rules. */

/** An operation without content. */
export const bare = (path: string, method = 'get') => `${path}:\n  ${method}: …`

/** A GET with a schema and at most one parameter. */
const read = (path: string, schema: string, parameter?: string) => {
  const parameters = parameter === undefined ? '' : `    parameters: [{ ${parameter} }]\n`
  return `${path}:\n  get:\n${parameters}    responses: { '200': { content: { application/json: { schema: ${schema} } } } }`
}

/** A GET of one record. */
export const record = (path: string, properties: string) => read(path, `{ properties: { ${properties} } }`)

/** A GET of an array. */
export const list = (path: string, properties: string, parameter?: string) =>
  read(path, `{ type: array, items: { properties: { ${properties} } } }`, parameter)

/** A GET of one record, with one property per line. */
export const recordLines = (path: string, ...properties: readonly string[]) =>
  `${path}:
  get:
    responses:
      '200':
        content:
          application/json:
            schema:
              properties:
${properties.map((property) => `${' '.repeat(16)}${property}`).join('\n')}`
