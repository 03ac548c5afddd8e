/** The frame of the page: navigation, breadcrumbs, and the current view. */
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  CopyButton,
  Group,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { text } from '../language/language.ts'
import { routeOf } from '../model/route.ts'
import { useConsole } from '../state/console-context.ts'
import type { LoadedSettings } from '../state/load.ts'
import { useAddress } from '../state/router.ts'
import { Boundary } from '../view/boundary.tsx'
import { Icon } from '../view/icon.tsx'
import { withModifier } from '../view/modifier-key.ts'
import { Brand } from './brand.tsx'
import { Crumbs } from './crumbs.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { Navigation } from './navigation.tsx'
import { RouteView } from './route-view.tsx'
import { useSignIn } from './sign-in/use-sign-in.ts'

const RecordDrawer = lazy(() => import('../record/drawer/record-drawer.tsx'))
const RequestPanel = lazy(() => import('../requests/request-panel.tsx'))
const UserMenu = lazy(() => import('./sign-in/user-menu.tsx'))
const SignInDialog = lazy(() => import('./sign-in/sign-in-dialog.tsx'))

/** Screens with room for a panel beside the page. */
const wide = '(min-width: 87.5em)'

export function Shell({ settings }: { readonly settings: LoadedSettings }) {
  const { service } = useConsole()
  const { path, drawer } = useAddress()
  const route = routeOf(service, path)
  const [isNavigating, navigation] = useDisclosure(false)
  const [isWatching, watching] = useDisclosure(false)
  const isWide = useMediaQuery(wide) === true
  const [wasWatched, setWatched] = useState(false)
  const signIn = useSignIn(settings)
  useHotkeys([['mod+.', watching.toggle]])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the path changes
  useEffect(navigation.close, [path])
  const tools = (
    <>
      <RequestsButton
        isOpen={isWatching}
        onClick={() => {
          setWatched(true)
          watching.toggle()
        }}
      />
      <LanguageMenu />
      <SchemeSwitch />
    </>
  )
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isNavigating } }}
      {...(isWatching && isWide && { aside: { width: 440, breakpoint: 0 } })}
      padding="md"
    >
      <button type="button" className="skip" onClick={skip}>
        {text().shell.skip}
      </button>
      <AppShell.Header className="header">
        <Group h="100%" px="sm" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isNavigating}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={text().shell.navigation}
            />
            <Brand settings={settings} />
            <Crumbs route={route} />
          </Group>
          <Group gap={4} wrap="nowrap">
            <Group gap={4} wrap="nowrap" visibleFrom="sm">
              {tools}
            </Group>
            {signIn.isOffered && (
              <Suspense>
                <UserMenu signIn={signIn} />
              </Suspense>
            )}
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar">
        <Navigation route={route} docs={settings.docs} />
        <Group gap={4} px="sm" hiddenFrom="sm">
          {tools}
        </Group>
        <ServiceAddress />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className="main">
        <RouteView route={route} />
      </AppShell.Main>
      {drawer.length > 0 && (
        <Boundary className="floating-problem">
          <Suspense>
            <RecordDrawer paths={drawer} />
          </Suspense>
        </Boundary>
      )}
      {(isWatching || wasWatched) && (
        <Suspense>
          <RequestPanel isOpen={isWatching} isBeside={isWide} onClose={watching.close} />
        </Suspense>
      )}
      {signIn.isOpen && (
        <Suspense>
          <SignInDialog signIn={signIn} />
        </Suspense>
      )}
    </AppShell>
  )
}

/** A component of its own, so that the page around it does not render again with every request. */
function RequestsButton({ isOpen, onClick }: { readonly isOpen: boolean; onClick(): void }) {
  const { http } = useConsole()
  const count = useSyncExternalStore(http.subscribe, http.requestCount)
  return (
    <Tooltip label={text().shell.requestsTooltip(withModifier('.'))}>
      <Button
        variant={isOpen ? 'light' : 'subtle'}
        color={isOpen ? 'accent' : 'gray'}
        size="compact-sm"
        {...(!isOpen && { c: 'dimmed' })}
        leftSection={<Icon name="requests" size={16} />}
        aria-label={text().shell.requests(count)}
        aria-expanded={isOpen}
        onClick={onClick}
      >
        {text().shell.requestsShort}
      </Button>
    </Tooltip>
  )
}

/** The URL of the service, as a button that copies it. */
function ServiceAddress() {
  const { service } = useConsole()
  const base = service.apis[0]?.base ?? ''
  return (
    <CopyButton value={base}>
      {({ copied, copy }) => (
        <UnstyledButton
          className="service-address"
          title={copied ? text().shell.copied : text().shell.copyAddress}
          aria-label={copied ? text().shell.copied : `${text().shell.copyAddress}: ${base}`}
          onClick={copy}
        >
          <span>{base.replace(/^https?:\/\//, '')}</span>
          <Icon name={copied ? 'check' : 'copy'} size={12} />
        </UnstyledButton>
      )}
    </CopyButton>
  )
}

/** A link to #main would change the hash, which is the URL of the view. */
function skip(): void {
  document.getElementById('main')?.focus()
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const otherScheme = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip label={otherScheme === 'dark' ? text().shell.dark : text().shell.light}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size="lg"
        aria-label={otherScheme === 'dark' ? text().shell.useDark : text().shell.useLight}
        onClick={() => setColorScheme(otherScheme)}
      >
        <Icon name={otherScheme === 'dark' ? 'moon' : 'sun'} size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
