/** Whether a route is the catch-all for git and pages for browsers. */
export const isAnyPath = (url = '/*'): boolean => url === '/' || url === '*' || url === '/*';
