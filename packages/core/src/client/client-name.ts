/** What resources are called, in paths and on a client. */

/** Of the noun that a resource shows. */
export type NounName<R> = R extends { noun: { name: infer Name } } ? Name : never

/** In a path: the noun's name, unless the resource has another. */
export type SegmentOf<R> = R extends { options: { path: infer Path extends string } } ? Path : NounName<R> & string

/** On a client. A hyphen before a digit stays: `level-2` is not `level2`. */
export type Camel<Kebab extends string> = Kebab extends `${infer First}-${infer Rest}`
  ? `${First}${Hyphen<Rest>}${Capitalize<Camel<Rest>>}`
  : Kebab
type Hyphen<Rest> = Rest extends `${number}${string}` ? '-' : ''
