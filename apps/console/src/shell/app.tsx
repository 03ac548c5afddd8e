/** The root of the console: loads the service, or asks for one. */
import { Center, Container, Loader, MantineProvider, VisuallyHidden } from '@mantine/core'
import { QueryClient, QueryClientProvider, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import { text } from '../language/language.ts'
import { useLanguage } from '../language/use-language.ts'
import type { Service } from '../model/service/service.ts'
import { CreationProvider } from '../record/reference/creation-provider.tsx'
import { ConsoleContext, type Message } from '../state/console-context.ts'
import { useGuarded } from '../state/router.ts'
import { type StartedConsole, startConsole } from '../state/start.ts'
import { colors, themeWith } from '../theme.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { Messages, type ShownMessage } from './messages.tsx'
import { Shell } from './shell.tsx'

const ConnectView = lazy(() => import('./connect-view.tsx'))
const LeaveDialog = lazy(() => import('./leave-dialog.tsx'))

// No automatic retry: a rejected request is rejected again, and the reader sees the problem at once.
// `always`: a browser that says that it is offline can still reach a service on this machine.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 2000, networkMode: 'always' } },
})

export function App() {
  const language = useLanguage()
  useLayoutEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <QueryClientProvider client={queries}>
      <ConsoleStart />
    </QueryClientProvider>
  )
}

/** The page in the color of the settings, once they are loaded. */
function ConsoleStart() {
  const loaded = useQuery({
    queryKey: ['service'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => startConsole(queries),
  })
  const { accent } = loaded.data?.settings ?? {}
  const theme = useMemo(() => themeWith(/^#[\da-f]{6}$/i.test(accent ?? '') ? accent : undefined), [accent])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={colors} defaultColorScheme="auto">
      <Page loaded={loaded} />
    </MantineProvider>
  )
}

function Page({ loaded }: { readonly loaded: UseQueryResult<StartedConsole> }) {
  if (loaded.error) {
    return (
      <Container size="xs" py="xl" component="main">
        <VisuallyHidden component="h1">{text().problem.somethingWrong}</VisuallyHidden>
        <ProblemAlert error={loaded.error} onRetry={() => loaded.refetch()} />
      </Container>
    )
  }
  if (!loaded.data) {
    return (
      <Center h="100vh" component="main">
        <Loader size="sm" aria-label={text().common.loading} role="status" />
      </Center>
    )
  }
  const { service } = loaded.data
  if (!service) {
    return (
      <Suspense>
        <ConnectView />
      </Suspense>
    )
  }
  return <ConnectedConsole {...loaded.data} service={service} />
}

function ConnectedConsole({ service, settings, http, feeds }: StartedConsole & { readonly service: Service }) {
  // The dialog is loaded with the first change, so that it opens even if the service stops meanwhile.
  const isGuarded = useGuarded()
  const [messages, setMessages] = useState<readonly ShownMessage[]>([])
  const drop = useCallback((id: number) => setMessages((before) => before.filter((message) => message.id !== id)), [])
  const context = useMemo(() => {
    let number = 0
    // One at a time: the last write is the one that matters.
    const notify = (message: Message) => setMessages([{ ...message, id: ++number }])
    // It is about the write before.
    http.onWrite = () => setMessages((before) => (before.length === 0 ? before : []))
    return { service, http, feeds, docs: settings.docs, notify }
  }, [service, http, feeds, settings])
  return (
    <ConsoleContext value={context}>
      <CreationProvider>
        <Shell settings={settings} />
      </CreationProvider>
      {isGuarded && (
        <Suspense>
          <LeaveDialog />
        </Suspense>
      )}
      <Messages messages={messages} onDrop={drop} />
    </ConsoleContext>
  )
}
