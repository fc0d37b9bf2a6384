/** Whether a route is that of every path which has none of its own: git, and pages for browsers. */
export const isAnyPath = (url = '/*'): boolean => url === '/' || url === '*' || url === '/*';
