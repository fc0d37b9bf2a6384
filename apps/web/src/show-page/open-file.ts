import { type ContextOf, commonErrors, openFile, type ParsedOf, type PresignedUrl } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { projectFiles } from '../pages';
import { isUnseen, Visits } from '../visit/visits';
import { requestAddressOf, resourceAddressOf } from './resource-address';
import { Routes } from './routes';

const routes = new Routes(projectFiles);

/** Answers the addresses of files. */
@Controller()
export class OpenFile {
  constructor(private readonly visits: Visits) {}

  @Handles(openFile)
  async open(context: ContextOf<typeof openFile>, { path }: ParsedOf<typeof openFile>): Promise<PresignedUrl> {
    const address = requestAddressOf(path);
    const resource = resourceAddressOf(address);
    const found = resource && routes.find(resource.below, address);
    if (!found) throw commonErrors.notFound();
    const visit = await this.visits.begin(context);
    if (visit.isPasswordDue) throw commonErrors.notFound();
    return found.entry.open(visit, resource.fullPath, found.address).catch((error: unknown) => {
      throw isUnseen(error) ? commonErrors.notFound() : error;
    });
  }
}
