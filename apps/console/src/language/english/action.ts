/** Custom operations of a service. */
import type { Format } from '../format.ts'

export function actionMessages({ number }: Format) {
  return {
    deprecated: 'Deprecated',
    done: (title: string) => `${title}: done.`,
    empty: 'The response is empty.',
    foreignBody: (mediaType: string) =>
      `This operation takes ${mediaType}, but the console sends only JSON. Use another client.`,
    note: 'Operations that do not belong to a list or a record.',
    /** The title of a dialog: an operation on a record, as a question if the dialog asks for a confirmation. */
    of: (title: string, name: string, isQuestion: boolean) => `${title}: “${name}”${isQuestion ? '?' : ''}`,
    openOperation: (title: string) => `Open ${title}`,
    records: 'Records of the response',
    response: 'Response',
    runAgain: 'Run again',
    truncated: (shown: number, all: number) =>
      `The first ${number(shown)} of ${number(all)}. The request panel shows all of them.`,
  }
}
