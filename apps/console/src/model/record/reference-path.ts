/** The path of a record that another record references. */
import { recordPath } from '../route.ts'
import type { Json } from '../service/openapi.ts'
import { type Collection, rootOf, type Service } from '../service/service.ts'

/** `/user/7?_reference=department` is the page of the department of user 7. */
export const referenceParameter = '_reference'

/** The path of the referenced record; undefined without one. */
export function referencePath(
  service: Service,
  { api, fields }: Collection,
  record: Json,
  name: string,
): string | undefined {
  const value = record[name]
  const noun = fields.find((field) => field.name === name)?.reference
  const target = noun === undefined ? undefined : rootOf(service, api, noun)
  return target && value !== null && value !== undefined ? recordPath(target, [value]) : undefined
}
