/** Style sheets, which the build writes beside the script. */
declare module '*.css'
