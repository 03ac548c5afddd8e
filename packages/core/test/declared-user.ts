/** A noun "user" for tests of resources. */
import { api } from '../src/api/api.ts'
import { boolean, choice, email, guid, identity, integer, reference, text } from '../src/field/kinds.ts'
import { createdAt, updatedAt } from '../src/field/managed-kinds.ts'
import { noun } from '../src/noun/noun.ts'
import { type AnyResource, type ResourceOptions, resource } from '../src/resource/resource.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
export const user = noun('user', {
  id: identity(),
  firstName: text(),
  lastName: text(),
  email: email().unique(),
  externalID: guid().unique(),
  status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
  level: integer({ min: 0, max: 9 }).nullable(),
  retired: boolean().default(false),
  department: reference(() => department),
  description: text().default(''),
  created: createdAt(),
  lastUpdated: updatedAt(),
})

/** Declares a resource of the user with these options, which may be invalid. */
export const declare =
  (options: ResourceOptions & { readonly rename?: { readonly [publicName: string]: string } }) => () =>
    resource(user, options as object)

/** Declares an api with the resource: rules that follow references are checked there, when all nouns are declared. */
export const inApi = (declareResource: () => AnyResource) => () =>
  api('directory', { versioning: 'per-noun', writes: 'flat', resources: [declareResource()] })
