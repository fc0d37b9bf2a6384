export { graphqlSchema } from './schema';
