/** The version of the package. Builds of the other packages compare it with their own when they load (PK26). */
export const VERSION = '0.1.0'
