/** Runs an action of the user. If it fails, a message says why. */
import { problemText } from '../model/advice.ts'
import { useConsole } from './console-context.ts'

export function useAttempt(): (work: () => Promise<unknown>) => Promise<void> {
  const { notify } = useConsole()
  return async (work) => {
    try {
      await work()
    } catch (error) {
      notify({ text: problemText(error), tone: 'error' })
    }
  }
}
