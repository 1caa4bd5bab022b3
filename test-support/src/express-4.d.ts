/** The Express of the years before; of what the tests use nothing differs. */
declare module 'express-4' {
  import express from 'express'

  export default express
}
