;;; sightline.el --- Find code by meaning, on your own machine  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, matching
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Sightline is a language server for finding code.  Eglot connects a buffer to
;; one server, which is the server of its language; so this file starts
;; Sightline through eglot as a second server that manages no buffer.
;;
;;   M-x sightline-search      find code by meaning; live if consult is installed
;;   M-x sightline-related     code related to what is at point
;;   M-x sightline-symbol      names in the whole project
;;   M-x sightline-status      what is indexed
;;   M-x sightline-reindex     index the project again
;;   M-x sightline-eldoc-mode  show the symbol at point and its related code
;;
;; The first of these commands except the last one starts the server.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'project)
(require 'subr-x)
(require 'url-util)

(declare-function sightline-consult-search "sightline-consult")

(defgroup sightline nil
  "Find code by meaning."
  :group 'tools)

(defcustom sightline-command '("sightline" "serve")
  "The server's program and arguments."
  :type '(repeat string))

(defcustom sightline-limit 30
  "Number of answers to ask for."
  :type 'natnum)

(defcustom sightline-live t
  "Whether `sightline-search' searches while you type, if consult is installed."
  :type 'boolean)

(defvar sightline-history nil
  "Previous queries.")

(defvar sightline--servers (make-hash-table :test #'equal)
  "Running servers by the root of their project.")

(defvar sightline--ready-hook nil
  "Called with a server when it reports that all it has to index is indexed.")

(defclass sightline-server (eglot-lsp-server)
  ((ready :initform nil :documentation "Whether everything was indexed at the last report."))
  :documentation "A Sightline server, which manages no buffer.")

(cl-defmethod eglot-client-capabilities ((_server sightline-server))
  "Ask for positions in characters, as Emacs counts, and for hovers in plain text."
  (let* ((capabilities (copy-sequence (cl-call-next-method)))
         (general (copy-sequence (plist-get capabilities :general)))
         (document (copy-sequence (plist-get capabilities :textDocument))))
    (setq document (plist-put document :hover '(:contentFormat ["plaintext"]))
          general (plist-put general :positionEncodings ["utf-32" "utf-16"])
          capabilities (plist-put capabilities :textDocument document))
    (plist-put capabilities :general general)))

(cl-defmethod eglot-handle-notification
  ((server sightline-server) (_method (eql $/sightline/statusChanged)) &key folders &allow-other-keys)
  "Remember whether the FOLDERS of SERVER are indexed.
If they are, run `sightline--ready-hook'."
  (let ((waiting (seq-some (lambda (folder) (member (plist-get folder :state) '("opening" "indexing")))
                           folders)))
    (setf (slot-value server 'ready) (not waiting))
    (unless waiting
      (run-hook-with-args 'sightline--ready-hook server))))

;;;; The server of a project

(defun sightline--project ()
  "The project of the current buffer, or its folder when it is in none."
  (or (project-current) (cons 'transient default-directory)))

(defun sightline--root (project)
  "The absolute root of PROJECT with a slash at the end."
  (file-name-as-directory (expand-file-name (project-root project))))

(defun sightline--start (project)
  "Start a server for PROJECT.
It is started from a buffer without a server, because eglot stops that one."
  (unless (executable-find (car sightline-command))
    (user-error "Sightline: %s is not installed, see `sightline-command'" (car sightline-command)))
  (let ((eglot-sync-connect t)
        ;; A server that crashed is started again by the next command.
        (eglot-autoreconnect nil)
        (root (sightline--root project)))
    (with-temp-buffer
      (setq default-directory root)
      (eglot '(sightline--no-mode) project 'sightline-server sightline-command '("text")))))

(defun sightline--running-server ()
  "The server of the current project if it is running."
  (let ((server (gethash (sightline--root (sightline--project)) sightline--servers)))
    (and server (jsonrpc-running-p server) server)))

(defun sightline--server ()
  "The server of the current project, started if it is not running."
  (or (sightline--running-server)
      (let* ((project (sightline--project))
             (server (sightline--start project)))
        (add-hook 'after-save-hook #'sightline--saved)
        (puthash (sightline--root project) server sightline--servers))))

(defun sightline--saved ()
  "Notify the server of this file's project that the file was saved."
  (when buffer-file-name
    (maphash (lambda (root server)
               (when (and (string-prefix-p root (expand-file-name buffer-file-name))
                          (jsonrpc-running-p server))
                 (jsonrpc-notify server :workspace/didChangeWatchedFiles
                                 `(:changes [(:uri ,(sightline--uri buffer-file-name) :type 2)]))))
             sightline--servers)))

(defun sightline--ask (method params)
  "Send the current project's server the request METHOD with PARAMS.
An error of the server is a `user-error'."
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

(defun sightline--landing (place)
  "The position in PLACE to go to, a plist with :line and :character."
  (plist-get (or (plist-get place :selectionRange) (plist-get place :range)) :start))

(defun sightline--goto (place)
  "Move point to PLACE in the current buffer."
  (let ((start (sightline--landing place)))
    (widen)
    (goto-char (point-min))
    (forward-line (plist-get start :line))
    (forward-char (min (plist-get start :character) (- (line-end-position) (point))))))

(defun sightline--position-params ()
  "The parameters of a request about the text at point."
  (list :textDocument (list :uri (sightline--uri buffer-file-name))
        :position (list :line (1- (line-number-at-pos nil t))
                        :character (- (point) (line-beginning-position)))))

(defun sightline--visit (place)
  "Visit the file of PLACE, a plist with :uri and :range, and go there."
  (xref-push-marker-stack)
  (find-file (sightline--path (plist-get place :uri)))
  (sightline--goto place))

(defun sightline--line-number (place)
  "The line of PLACE, counted from 1."
  (1+ (plist-get (sightline--landing place) :line)))

(defun sightline--landing-line (hit)
  "The line of HIT's snippet to land on, or the next one that is not blank."
  (let* ((snippet (plist-get hit :snippet))
         (lines (split-string (plist-get snippet :text) "\n"))
         (before (- (plist-get (sightline--landing hit) :line) (plist-get snippet :startLine))))
    (or (seq-find (lambda (line) (not (string-blank-p line))) (nthcdr (max before 0) lines)) "")))

(defun sightline--excerpt (hit)
  "What a list shows of HIT: its signature, or the line to land on.
A related hit is shown by that line, such as the call."
  (let ((signature (plist-get (plist-get hit :symbol) :signature))
        (by-line (not (member (plist-get hit :reason) '(nil "similar")))))
    (string-clean-whitespace
     (if (or by-line (member signature '(nil "")))
         (sightline--landing-line hit)
       signature))))

(defun sightline--hit-label (hit)
  "HIT as one line."
  (format "%s:%d%s  %s%s"
          (plist-get hit :path)
          (sightline--line-number hit)
          (if-let ((cell (plist-get hit :cell))) (format " cell %d" (1+ cell)) "")
          (if-let ((reason (plist-get hit :reason))) (format "[%s] " reason) "")
          (sightline--excerpt hit)))

(defun sightline--hit-candidate (hit)
  "HIT as a candidate of a completion, which carries it as a text property."
  (propertize (sightline--hit-label hit) 'sightline-hit hit))

(defun sightline--hit-of (candidate)
  "The hit of CANDIDATE."
  (get-text-property 0 'sightline-hit candidate))

(defun sightline--annotate (candidate)
  "Why CANDIDATE was found, to be shown behind it."
  (when-let ((why (plist-get (sightline--hit-of candidate) :why)))
    (concat "  " (propertize why 'face 'completions-annotations))))

(defun sightline--group (candidate transform)
  "The title of CANDIDATE's group, or CANDIDATE itself if TRANSFORM."
  (if transform
      candidate
    (let ((hit (sightline--hit-of candidate)))
      (cond ((plist-get hit :reason))
            ((eq (plist-get hit :weak) t) "less likely")))))

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
                   (annotation-function . sightline--annotate)
                   (group-function . sightline--group)
                   (display-sort-function . identity)
                   (cycle-sort-function . identity))
      (complete-with-action action candidates string predicate))))

(defun sightline--choose (prompt labels places)
  "Let the user choose with PROMPT among LABELS and go to the one of PLACES."
  (let* ((chosen (completing-read prompt (sightline--table labels) nil t))
         (index (cl-position chosen labels :test #'equal)))
    (when index
      (sightline--visit (nth index places)))))

;;;; Commands

(defun sightline--region ()
  "The text of the region if it is active."
  (and (use-region-p) (buffer-substring-no-properties (region-beginning) (region-end))))

(defun sightline--search (query)
  "The answer of the server to QUERY."
  (sightline--ask :workspace/semanticSearch (sightline--search-params query)))

(defun sightline--search-params (query)
  "The parameters of a search for QUERY from the current buffer."
  (append (list :query query :limit sightline-limit)
          (and buffer-file-name (list :currentDocument (sightline--uri buffer-file-name)))))

(defun sightline--coverage-note (coverage)
  "The warning for an answer with COVERAGE, or an empty string."
  (pcase (plist-get coverage :state)
    ("indexing" (format " (indexing %d of %d files)"
                        (plist-get coverage :filesIndexed) (plist-get coverage :filesTotal)))
    ("degraded" (format " (degraded: %s)" (or (plist-get coverage :reason) "see sightline-status")))
    (_ "")))

(defun sightline--live-p ()
  "Whether searches are live: enabled, and consult is installed."
  (and sightline-live (locate-library "consult") (require 'sightline-consult nil t)))

;;;###autoload
(defun sightline-search (&optional query)
  "Find code by meaning with QUERY and go to the answer that is chosen.
Interactively, the search is live if consult is installed: the answers
are shown while you type.  QUERY may contain the filters lang: path:
-path: kind: name: in: -in: re:/.../ and \"exact text\"."
  (interactive (list (unless (sightline--live-p)
                       (read-string "Find the code that: " (sightline--region) 'sightline-history))))
  (if query
      (sightline--search-once query)
    (sightline-consult-search (sightline--region))))

(defun sightline--search-once (query)
  "Search for QUERY and go to the answer that is chosen."
  (let* ((answer (sightline--search query))
         (hits (append (plist-get answer :results) nil))
         (note (sightline--coverage-note (plist-get answer :coverage))))
    (if hits
        (sightline--choose (format "Sightline%s: " note) (mapcar #'sightline--hit-candidate hits) hits)
      (message "Sightline: nothing found for %s%s" query note))))

;;;###autoload
(defun sightline-related ()
  "Go to code related to what is at point."
  (interactive)
  (unless buffer-file-name
    (user-error "Sightline: this buffer visits no file"))
  (let* ((params (append (sightline--position-params) (list :limit sightline-limit)))
         (hits (append (plist-get (sightline--ask :textDocument/related params) :results) nil)))
    (if hits
        (sightline--choose "Related: " (mapcar #'sightline--hit-candidate hits) hits)
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
  "REASONS, a plist of counts, such as \"3 binary, 1 too large\"."
  (if reasons
      (string-join (cl-loop for (reason count) on reasons by #'cddr
                            collect (format "%d %s" count (substring (symbol-name reason) 1)))
                   ", ")
    "nothing"))

(defun sightline--insert-folder (folder)
  "Insert the state of FOLDER."
  (let ((parse (plist-get folder :parse)))
    (insert (format "\n%s\n  state    %s\n  files    %d of %d\n  chunks   %d\n"
                    (sightline--path (plist-get folder :uri)) (plist-get folder :state)
                    (plist-get folder :filesIndexed) (plist-get folder :filesTotal)
                    (plist-get folder :chunks))
            (format "  parsed   %d whole, %d in part, %d failed, %d without a grammar\n"
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
  (message "Sightline: indexing the project again"))

;;;; Hover

(defun sightline--hover-text (hover)
  "The text of HOVER, or nil."
  (let ((text (plist-get (plist-get hover :contents) :value)))
    (and text (not (string-empty-p text)) text)))

(defun sightline-eldoc-function (callback &rest _)
  "Show the symbol at point and its related code through CALLBACK.
The server reads the file, so nothing is shown while the buffer is modified."
  (when-let ((server (and buffer-file-name
                          (not (buffer-modified-p))
                          (sightline--running-server))))
    (jsonrpc-async-request server :textDocument/hover (sightline--position-params)
                           :success-fn (lambda (hover) (funcall callback (sightline--hover-text hover)))
                           :error-fn #'ignore
                           :timeout-fn #'ignore)
    t))

;;;###autoload
(define-minor-mode sightline-eldoc-mode
  "Show the symbol at point and its related code in the echo area.
The mode uses a running server and does not start one."
  :lighter nil
  (if sightline-eldoc-mode
      (add-hook 'eldoc-documentation-functions #'sightline-eldoc-function 90 t)
    (remove-hook 'eldoc-documentation-functions #'sightline-eldoc-function t)))

(provide 'sightline)
;;; sightline.el ends here
