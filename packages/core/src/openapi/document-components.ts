/** All components of an OpenAPI document. */
import type { Components } from './component.ts'
import type { FieldSchema } from './schema/field.ts'

/** The components that the operations of a document refer to. */
export interface DocumentComponents {
  readonly schemas: Components
  readonly responses: Components
  readonly fieldSchema: FieldSchema
}
