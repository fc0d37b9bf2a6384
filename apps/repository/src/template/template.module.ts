import { Module } from '@nestjs/common';
import { ProjectTemplates } from './project-templates';
import { TemplateOperations } from './template.operations';

/** Licences, ignore files and the like, to begin with. */
@Module({ controllers: [TemplateOperations], providers: [ProjectTemplates] })
export class TemplateModule {}
