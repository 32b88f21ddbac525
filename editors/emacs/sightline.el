;;; sightline.el --- Find code by meaning, on your own machine  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, matching
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Sightline is a language server for finding code.  Eglot gives a buffer one
;; server, and that place belongs to the server of its language; so this file
;; starts Sightline through eglot beside it, managing no buffer, and asks it:
;;
;;   M-x sightline-search    where is the code that ...?
;;   M-x sightline-related   code related to what is at point
;;   M-x sightline-symbol    names in the whole project
;;   M-x sightline-status    what is indexed
;;   M-x sightline-reindex   index the project again
;;
;; The server starts with the first of these commands.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'project)
(require 'subr-x)
(require 'url-util)

(defgroup sightline nil
  "Find code by meaning."
  :group 'tools)

(defcustom sightline-command '("sightline" "serve")
  "The server's program and arguments."
  :type '(repeat string))

(defcustom sightline-limit 30
  "How many answers to ask for."
  :type 'natnum)

(defvar sightline-history nil
  "Queries asked before.")

(defvar sightline--servers (make-hash-table :test #'equal)
  "Running servers by the root of their project.")

(defclass sightline-server (eglot-lsp-server) ()
  :documentation "A Sightline server, which manages no buffer.")

(cl-defmethod eglot-client-capabilities ((_server sightline-server))
  "Ask for positions in characters, which is how Emacs counts."
  (let* ((capabilities (copy-sequence (cl-call-next-method)))
         (general (copy-sequence (plist-get capabilities :general))))
    (plist-put capabilities :general
               (plist-put general :positionEncodings ["utf-32" "utf-16"]))))

;;;; The server of a project

(defun sightline--project ()
  "The project of the current buffer, or its folder when it is in none."
  (or (project-current) (cons 'transient default-directory)))

(defun sightline--root (project)
  "The root of PROJECT as it is written everywhere here."
  (file-name-as-directory (expand-file-name (project-root project))))

(defun sightline--start (project)
  "Start a server for PROJECT.
It is started from a buffer without a server: eglot ends the one it finds."
  (unless (executable-find (car sightline-command))
    (user-error "Sightline: %s is not installed, see `sightline-command'" (car sightline-command)))
  (let ((eglot-sync-connect t)
        ;; A server that died is started again by the next command.
        (eglot-autoreconnect nil)
        (root (sightline--root project)))
    (with-temp-buffer
      (setq default-directory root)
      (eglot '(sightline--no-mode) project 'sightline-server sightline-command '("text")))))

(defun sightline--server ()
  "The server of the current project, started when it is not running."
  (let* ((project (sightline--project))
         (root (sightline--root project))
         (server (gethash root sightline--servers)))
    (unless (and server (jsonrpc-running-p server))
      (setq server (sightline--start project))
      (puthash root server sightline--servers)
      (add-hook 'after-save-hook #'sightline--saved))
    server))

(defun sightline--saved ()
  "Tell the server of this file's project that the file was saved."
  (when buffer-file-name
    (maphash (lambda (root server)
               (when (and (string-prefix-p root (expand-file-name buffer-file-name))
                          (jsonrpc-running-p server))
                 (jsonrpc-notify server :workspace/didChangeWatchedFiles
                                 `(:changes [(:uri ,(sightline--uri buffer-file-name) :type 2)]))))
             sightline--servers)))

(defun sightline--ask (method params)
  "Ask the current project's server METHOD with PARAMS.
Its error is a message for the user."
  (condition-case problem
      (jsonrpc-request (sightline--server) method params)
    (jsonrpc-error
     (user-error "Sightline: %s"
                 (or (alist-get 'jsonrpc-error-message (cdr problem)) (error-message-string problem))))))

;;;; Places

(defun sightline--uri (path)
  "PATH as a file URI."
  (let ((local (file-local-name (expand-file-name path))))
    (concat "file://" (unless (string-prefix-p "/" local) "/")
            (url-hexify-string local url-path-allowed-chars))))

(defun sightline--path (uri)
  "The file that URI names."
  (let ((path (decode-coding-string (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8)))
    (if (string-match-p "\\`/[A-Za-z]:" path) (substring path 1) path)))

(defun sightline--visit (place)
  "Go to PLACE, a plist with :uri and :range."
  (let ((start (plist-get (plist-get place :range) :start)))
    (xref-push-marker-stack)
    (find-file (sightline--path (plist-get place :uri)))
    (widen)
    (goto-char (point-min))
    (forward-line (plist-get start :line))
    (forward-char (min (plist-get start :character) (- (line-end-position) (point))))))

(defun sightline--line-number (place)
  "The line PLACE begins at, as people count."
  (1+ (plist-get (plist-get (plist-get place :range) :start) :line)))

(defun sightline--excerpt (hit)
  "What a list shows of HIT: a signature, or its first line that says something."
  (let ((signature (plist-get (plist-get hit :symbol) :signature))
        (text (plist-get (plist-get hit :snippet) :text)))
    (string-clean-whitespace
     (if (member signature '(nil ""))
         (or (car (split-string text "\n" t "[ \t]+")) "")
       signature))))

(defun sightline--hit-label (hit)
  "HIT as one line."
  (format "%s:%d  %s%s"
          (plist-get hit :path)
          (sightline--line-number hit)
          (if-let ((reason (plist-get hit :reason))) (format "[%s] " reason) "")
          (sightline--excerpt hit)))

(defun sightline--symbol-label (symbol)
  "SYMBOL of a workspace/symbol answer as one line."
  (let ((place (plist-get symbol :location)))
    (format "%s  %s:%d"
            (plist-get symbol :name)
            (file-relative-name (sightline--path (plist-get place :uri)) default-directory)
            (sightline--line-number place))))

(defun sightline--table (candidates)
  "A completion table over CANDIDATES that keeps their order."
  (lambda (string predicate action)
    (if (eq action 'metadata)
        '(metadata (category . sightline)
                   (display-sort-function . identity)
                   (cycle-sort-function . identity))
      (complete-with-action action candidates string predicate))))

(defun sightline--choose (prompt labels places)
  "Let the user choose with PROMPT among LABELS and go to the one of PLACES."
  (let* ((candidates (cl-mapcar #'cons labels places))
         (chosen (completing-read prompt (sightline--table candidates) nil t)))
    (when-let ((place (cdr (assoc chosen candidates))))
      (sightline--visit place))))

;;;; Commands

(defun sightline--read-query ()
  "Read a query, beginning with the region when it is active."
  (let ((region (and (use-region-p)
                     (buffer-substring-no-properties (region-beginning) (region-end)))))
    (read-string "Find the code that: " region 'sightline-history)))

(defun sightline--coverage-note (coverage)
  "What the user must know about an answer with COVERAGE, or nothing."
  (pcase (plist-get coverage :state)
    ("indexing" (format " (indexing %d of %d files)"
                        (plist-get coverage :filesIndexed) (plist-get coverage :filesTotal)))
    ("degraded" (format " (degraded: %s)" (or (plist-get coverage :reason) "see sightline-status")))
    (_ "")))

;;;###autoload
(defun sightline-search (query)
  "Find code by meaning with QUERY and go to the answer that is chosen.
QUERY may carry the filters lang: path: -path: kind: name: in: -in:."
  (interactive (list (sightline--read-query)))
  (let* ((answer (sightline--ask :workspace/semanticSearch (list :query query :limit sightline-limit)))
         (hits (append (plist-get answer :results) nil))
         (note (sightline--coverage-note (plist-get answer :coverage))))
    (if hits
        (sightline--choose (format "Sightline%s: " note) (mapcar #'sightline--hit-label hits) hits)
      (message "Sightline: nothing found for %s%s" query note))))

;;;###autoload
(defun sightline-related ()
  "Go to code related to what is at point."
  (interactive)
  (unless buffer-file-name
    (user-error "Sightline: this buffer visits no file"))
  (let* ((position (list :line (1- (line-number-at-pos nil t)) :character (- (point) (line-beginning-position))))
         (params (list :textDocument (list :uri (sightline--uri buffer-file-name))
                       :position position :limit sightline-limit))
         (hits (append (plist-get (sightline--ask :textDocument/related params) :results) nil)))
    (if hits
        (sightline--choose "Related: " (mapcar #'sightline--hit-label hits) hits)
      (message "Sightline: nothing related to what is at point"))))

;;;###autoload
(defun sightline-symbol (name)
  "Go to a symbol whose name matches NAME, anywhere in the project."
  (interactive (list (read-string "Symbol: ")))
  (let* ((symbols (append (sightline--ask :workspace/symbol (list :query name)) nil))
         (default-directory (sightline--root (sightline--project)))
         (labels (mapcar #'sightline--symbol-label symbols)))
    (if symbols
        (sightline--choose "Symbol: " labels (mapcar (lambda (symbol) (plist-get symbol :location)) symbols))
      (message "Sightline: no symbol matches %s" name))))

(defun sightline--counted (reasons)
  "REASONS, a plist of counts, as \"3 binary, 1 too large\"."
  (if reasons
      (string-join (cl-loop for (reason count) on reasons by #'cddr
                            collect (format "%d %s" count (substring (symbol-name reason) 1)))
                   ", ")
    "nothing"))

(defun sightline--insert-folder (folder)
  "Insert what the server says about FOLDER."
  (let ((parse (plist-get folder :parse)))
    (insert (format "\n%s\n  state    %s\n  files    %d of %d\n  chunks   %d\n"
                    (sightline--path (plist-get folder :uri)) (plist-get folder :state)
                    (plist-get folder :filesIndexed) (plist-get folder :filesTotal)
                    (plist-get folder :chunks))
            (format "  parsed   %d whole, %d in part, %d not, %d without a grammar\n"
                    (plist-get parse :ok) (plist-get parse :partial)
                    (plist-get parse :error) (plist-get parse :no_grammar))
            (format "  skipped  %s\n" (sightline--counted (plist-get folder :skipped)))
            (format "  model    %s\n  on disk  %s\n" (plist-get folder :model)
                    (file-size-human-readable (plist-get folder :diskBytes))))
    (seq-do (lambda (note) (insert (format "  note     %s\n" note))) (plist-get folder :notes))
    (when-let ((problem (plist-get folder :lastError)))
      (insert (format "  error    %s\n" problem)))))

;;;###autoload
(defun sightline-status ()
  "Show what is indexed, by which model, and what went wrong."
  (interactive)
  (let ((status (sightline--ask :workspace/indexStatus (make-hash-table))))
    (with-help-window "*Sightline*"
      (with-current-buffer standard-output
        (insert (format "Sightline %s\n" (plist-get status :version)))
        (mapc #'sightline--insert-folder (plist-get status :folders))))))

;;;###autoload
(defun sightline-reindex ()
  "Index the current project again from the beginning."
  (interactive)
  (sightline--ask :workspace/executeCommand '(:command "sightline.reindex" :arguments []))
  (message "Sightline: indexing again"))

(provide 'sightline)
;;; sightline.el ends here
