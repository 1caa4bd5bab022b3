import { kept } from '../../kept.ts'

/** Something of the desk that this device keeps switched on. @default off */
export const choice = (name: string) => kept<'on' | 'off'>(name, text => (text === 'on' ? 'on' : 'off'))
