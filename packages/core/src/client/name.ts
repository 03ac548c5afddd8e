/** The names of resources in paths and in a client. */

/** The name of a resource's noun. */
export type NounName<R> = R extends { noun: { name: infer Name } } ? Name : never

/** The path segment of a resource. */
export type SegmentOf<R> = R extends { options: { path: infer Path extends string } } ? Path : NounName<R> & string

/** The property name in a client. A hyphen before a digit stays: `level-2` is not `level2`. */
export type Camel<Kebab extends string> = Kebab extends `${infer First}-${infer Rest}`
  ? `${First}${Hyphen<Rest>}${Capitalize<Camel<Rest>>}`
  : Kebab
type Hyphen<Rest> = Rest extends `${number}${string}` ? '-' : ''
