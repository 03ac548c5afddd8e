/** The explanation of a lint rule. */

/** The explanation of a lint rule, with a bad and a good example. */
export interface Explanation {
  /** The reason, and details. The rule itself is in `about`. */
  readonly text: string
  readonly bad: string
  readonly good: string
}
