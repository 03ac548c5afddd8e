/** The names of the standard operations of a resource. */
export const offerNames: readonly string[] = 'list read create replace update delete restore erase link'.split(' ')
