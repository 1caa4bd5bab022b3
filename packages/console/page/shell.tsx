import { useEffect, useState } from 'preact/hooks'
import { signIn } from './api.ts'
import { attention } from './attention.ts'
import { useResource } from './data/resource.ts'
import { DENSITIES, density } from './density.ts'
import { keepPlace, returnToPlace } from './place.ts'
import { href, route } from './router.ts'
import { account, chooseAccount, comeBack, highestRole, may, me, readMe } from './session.ts'
import { say as sayCommon } from './texts/common.ts'
import { LANGUAGE_NAMES, type Language, language } from './texts/language.ts'
import { say } from './texts/shell.ts'
import { THEMES, theme } from './theme.ts'
import { Avatar } from './ui/avatar.tsx'
import { useCurrentInSight } from './ui/current-in-sight.ts'
import { Dialog } from './ui/dialog.tsx'
import { Failure } from './ui/failure.tsx'
import { Select } from './ui/field.tsx'
import { Icon, Mark } from './ui/icon.tsx'
import { Page } from './ui/page.tsx'
import { Badge, Empty, Pending } from './ui/parts.tsx'
import { AREAS, type Area } from './views/index.ts'

function SignedOut() {
  const { url } = signIn.value
  useEffect(keepPlace, [route.value])
  return (
    <main class="alone">
      <Mark />
      <h1>{sayCommon('signed-out')}</h1>
      {url !== null && (
        <a class="button main" href={url}>
          {sayCommon('sign-in')}
        </a>
      )}
    </main>
  )
}

/** Interval at which the sign-in is checked, milliseconds. */
const AGAIN = 2_000

/** Shows a request to sign in again over the page. Typed text stays in its place. */
function SignInAgain() {
  const { url } = signIn.value
  const [isOpen, setOpen] = useState(true)
  useEffect(keepPlace, [route.value])
  useEffect(() => setOpen(true), [signIn.value])
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState !== 'hidden') comeBack().catch(() => undefined)
    }
    const timer = setInterval(look, AGAIN)
    addEventListener('focus', look)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', look)
    }
  }, [])
  if (!isOpen) return null
  return (
    <Dialog title={sayCommon('signed-out')} onClose={() => setOpen(false)}>
      <p>{sayCommon('signed-out.stay')}</p>
      {url !== null && (
        <div class="actions">
          <a class="button main" href={url} target="_blank" rel="noopener">
            {sayCommon('sign-in')}
          </a>
        </div>
      )}
    </Dialog>
  )
}

/** Shows the menu of the person: their account, and settings of the page. */
function Who() {
  const { accounts, person, sign_out_url: signOutUrl } = me.value ?? {}
  const role = highestRole()
  return (
    <details class="who">
      <summary>
        <Avatar id={person?.id ?? ''} name={person?.name ?? ''} />
        <span class="name">
          <span>{person?.name}</span>
          {role !== undefined && <span class="role">{say(`role.${role}`)}</span>}
        </span>
        <Icon name="down" />
      </summary>
      {accounts !== undefined && accounts.length > 1 && (
        <Select
          label={say('account')}
          value={account.value?.id ?? ''}
          onChange={chooseAccount}
          options={accounts.map(({ id, name }) => [id, name] as const)}
        />
      )}
      <div class="pair">
        <Select
          label={say('language')}
          value={language.value}
          onChange={value => {
            language.value = value as Language
          }}
          options={Object.entries(LANGUAGE_NAMES)}
        />
        <Select
          label={say('theme')}
          value={theme.value}
          onChange={value => {
            theme.value = THEMES.find(one => one === value) ?? 'system'
          }}
          options={THEMES.map(one => [one, say(`theme.${one}`)] as const)}
        />
      </div>
      <Select
        label={say('density')}
        value={density.value}
        onChange={value => {
          density.value = DENSITIES.find(one => one === value) ?? 'roomy'
        }}
        options={DENSITIES.map(one => [one, say(`density.${one}`)] as const)}
      />
      {signOutUrl && (
        <a class="button" href={signOutUrl}>
          <Icon name="leave" />
          {say('sign-out')}
        </a>
      )}
    </details>
  )
}

function Loaded({ area }: { readonly area: Area }) {
  const { value, error, reload } = useResource(() => area.load(), [area.path])
  if (value === undefined)
    return (
      <Page title={say(area.path)}>
        {error === null ? <Pending /> : <Failure error={error} again={reload} />}
      </Page>
    )
  const { View } = value
  return <View />
}

function Place({ areas }: { readonly areas: readonly Area[] }) {
  const [first] = areas
  const [name] = route.value.path
  const area = name === undefined ? first : areas.find(({ path }) => path === name)
  if (first === undefined)
    return (
      <Page title={say('no-area')}>
        <p>{say('no-area.why')}</p>
      </Page>
    )
  if (area === undefined)
    return (
      <Page title={say('unknown')}>
        <p>{say('unknown.why')}</p>
      </Page>
    )
  if (account.value === null && area.needsAccount)
    return (
      <Page title={say(area.path)}>
        <Empty icon="account" title={say('no-account')}>
          <p>{say(may('operator') ? 'no-account.operator' : 'no-account.others')}</p>
          {may('operator') && (
            <a class="button main" href={href(['settings', 'accounts'])}>
              {say('no-account.make')}
            </a>
          )}
        </Empty>
      </Page>
    )
  return <Loaded key={area.path} area={area} />
}

/** Shows the frame of the page: account, navigation and the current area. */
export function Shell() {
  const { value, error, reload } = useResource(readMe, [])
  useEffect(() => {
    document.documentElement.lang = language.value
  }, [language.value])
  useEffect(() => {
    if (me.value !== null && !signIn.value.needed) returnToPlace()
  }, [me.value === null, signIn.value.needed])
  const areas = AREAS.filter(({ role }) => may(role))
  const current = route.value.path[0] ?? areas[0]?.path
  const row = useCurrentInSight(me.value === null ? undefined : current)
  if (me.value === null && signIn.value.needed) return <SignedOut />
  if (me.value === null)
    return (
      <main class="alone">
        {value === undefined && error === null ? <Pending /> : <Failure error={error} again={reload} />}
      </main>
    )
  return (
    <div class="shell">
      <button
        class="skip"
        type="button"
        onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}
      >
        {say('skip')}
      </button>
      <header class="side">
        <a class="brand" href={href([])}>
          <Mark />
          {say('brand')}
        </a>
        <nav class="areas" aria-label={say('areas')} ref={row}>
          {areas.map(({ path }) => (
            <a key={path} href={href([path])} aria-current={path === current ? 'page' : undefined}>
              <Icon name={path} />
              {say(path)}
              {path === 'desk' && attention.value > 0 && (
                <>
                  {' '}
                  <Badge tone="accent">{attention.value}</Badge>
                </>
              )}
            </a>
          ))}
        </nav>
        <Who />
      </header>
      <Place areas={areas} />
      {signIn.value.needed && <SignInAgain />}
    </div>
  )
}
