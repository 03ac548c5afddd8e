/** Compares the schemas of a media type, or of a header. */
import type { OperationChanges } from '../change-collector.ts'
import { below, childrenOf, followReference, type Location } from '../location.ts'
import { codeOf, type Use } from '../pair.ts'
import { isUnrestricted } from '../restriction.ts'
import { compareSchema } from './schema/schema.ts'

/** Compares the schema of the whole content, and the one of its elements in a stream (`itemSchema` of OpenAPI 3.2). */
export function compareContent(old: Location, next: Location, use: Use, changes: OperationChanges): void {
  compareOptionalSchemas(schemaOf(old), schemaOf(next), use, changes)
  const elements = { ...use, name: `the elements of ${use.name}` }
  compareOptionalSchemas(below(old, 'itemSchema'), below(next, 'itemSchema'), elements, changes)
}

/** The schema of a parameter, a header or a media type. A parameter or a header may have it in a media type. */
export function schemaOf(location: Location): Location | undefined {
  const [[, media] = []] = childrenOf(below(location, 'content'))
  return below(location, 'schema') ?? (media && below(media, 'schema'))
}

/** Compares two schemas that may be missing. One that allows every value is the same as none. */
function compareOptionalSchemas(
  old: Location | undefined,
  next: Location | undefined,
  use: Use,
  changes: OperationChanges,
): void {
  const [wasRestricted, isRestricted] = [old, next].map(
    (schema) => schema && !isUnrestricted(followReference(schema).value),
  )
  if (old && next && (wasRestricted || isRestricted)) compareSchema([old], [next], use, changes)
  else if (wasRestricted) changes.addChange(codeOf(use, 'widened'), `The schema of ${use.name} was removed.`, old)
  else if (isRestricted) changes.addChange(codeOf(use, 'narrowed'), `A schema was added to ${use.name}.`, next)
}
