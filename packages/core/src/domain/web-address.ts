import * as z from 'zod'

/** An address of the web. */
export const webAddressSchema = z.url({
  protocol: /^https?$/,
  error: 'expected an address that begins with https:// or http://',
})

/** The longest address of a picture, in characters (DK21). */
const PICTURE_LENGTH = 2_048

/** The address of a picture that pages of visitors load (DK21, AG34). */
export const pictureSchema = webAddressSchema.max(PICTURE_LENGTH)

/** The same, or empty for none. */
export const pictureOrNoneSchema = z
  .string()
  .max(PICTURE_LENGTH)
  .refine(
    text => text === '' || webAddressSchema.safeParse(text).success,
    'expected an address that begins with https:// or http://, or nothing',
  )
  .meta({ pattern: '^(https?://.+)?$' })
