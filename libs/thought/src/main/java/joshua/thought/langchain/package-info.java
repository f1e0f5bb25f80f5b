/** The adapters to language models, by LangChain4j; loaded only where a provider is configured. */
package joshua.thought.langchain;
