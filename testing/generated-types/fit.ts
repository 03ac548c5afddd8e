/** Does not compile if generated types differ from those of the declarations. */
import type { Client } from '@nomen/core/client'
import type { access, directory } from '@nomen/directory'
import type { components as Access, operations as AccessOperations } from './dist/access.ts'
import type { components as Directory, operations as DirectoryOperations } from './dist/directory.ts'

type People = Client<typeof directory>
type Rights = Client<typeof access>

/** Each type is assignable to the other. */
type Same<Ours, Theirs> = [Ours] extends [Theirs] ? ([Theirs] extends [Ours] ? true : 'wider') : 'narrower'
type Answer<Call extends (...given: never[]) => Promise<unknown>> = Changeable<Awaited<ReturnType<Call>>>
/** Removes readonly from our results, because generated types do not have it. */
type Changeable<T> = T extends { results: readonly (infer Item)[]; pageInfo: infer Info }
  ? { results: Item[]; pageInfo: Info }
  : T
type Body<Call> = Call extends (id: never, body: infer Given, ...more: never[]) => unknown ? Given : never
type First<Call> = Call extends (body: infer Given, ...more: never[]) => unknown ? Given : never
type Needed<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T]

/** Our body is assignable, and both sides require the same properties. */
type Takes<Ours, Theirs> = [Ours] extends [Theirs]
  ? [Needed<Ours>] extends [Needed<Theirs>]
    ? [Needed<Theirs>] extends [Needed<Ours>]
      ? true
      : 'they require more'
    : 'we require more'
  : 'not assignable'

type D = Directory['schemas']
type A = Access['schemas']

export const records: [
  Same<Answer<People['user']['read']>, D['User']>,
  Same<Answer<People['user']['list']>, D['UserListPage']>,
  Same<Answer<People['user']['summary']['list']>, D['UserSummaryPage']>,
  Same<Answer<People['user']['detail']['list']>, D['UserDetailPage']>,
  Same<Answer<People['department']['read']>, D['Department']>,
  Same<Answer<ReturnType<People['user']['of']>['preference']['list']>, D['Preference'][]>,
  Same<Answer<Rights['user']['read']>, A['User']>,
  Same<Answer<Rights['role']['read']>, A['Role']>,
  Same<Answer<Rights['application']['list']>, A['ApplicationListPage']>,
] = [true, true, true, true, true, true, true, true, true]

export const bodies: [
  Takes<First<People['user']['create']>, D['UserCreate']>,
  Takes<Body<People['user']['replace']>, D['UserReplace']>,
  Takes<Body<People['user']['update']>, D['UserUpdate']>,
  Takes<First<Rights['role']['create']>, A['RoleCreate']>,
  Takes<Body<Rights['user']['replace']>, A['UserReplace']>,
] = [true, true, true, true, true]

type Query<Operations, Id extends keyof Operations> = Operations[Id] extends { parameters: { query?: infer Given } }
  ? NonNullable<Given>
  : never

/** Every filter of the client is in the document. */
export const filters: [
  keyof NonNullable<Parameters<People['user']['list']>[0]> extends keyof Query<DirectoryOperations, 'user.list'>
    ? true
    : false,
  keyof NonNullable<Parameters<Rights['role']['list']>[0]> extends keyof Query<AccessOperations, 'role.list'>
    ? true
    : false,
] = [true, true]

/** A filter by no value is the empty text, and the values of a choice have one type. */
export const values: [
  Same<NonNullable<Query<DirectoryOperations, 'user.list'>['supervisor']>, (number | '')[]>,
  Same<NonNullable<Query<DirectoryOperations, 'user.list'>['status']>, D['UserStatus'][]>,
  Same<D['User']['status'], D['UserStatus']>,
  Same<D['UserStatus'], 'ACTIVE' | 'SUSPENDED'>,
  Same<D['UserListPage']['pageInfo'], D['PageInfo']>,
] = [true, true, true, true, true]
