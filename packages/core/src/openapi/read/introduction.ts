/** Separates the description of an api from the introduction that is added to it. */

/** The introduction follows the description in the declaration, so a reader of the document can tell them apart. */
export const introductionHeading = '## Conventions'

/** The description without the introduction; undefined if nothing remains. */
export function withoutIntroduction(description: string | undefined): string | undefined {
  return description?.split(introductionHeading, 1)[0]?.trim() || undefined
}
